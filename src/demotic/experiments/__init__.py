"""Whole jobs: training from text to model, the demo, the tables of the papers."""
