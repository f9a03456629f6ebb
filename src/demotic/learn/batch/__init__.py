"""Learners that decode all sentences, then optimise over what was decoded."""
