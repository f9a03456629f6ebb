"""Learners that see one sentence after the other, under algorithms 1 to 4 of Simianer, Riezler and Dyer (2012)."""
