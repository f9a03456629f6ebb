"""Language models: estimation and query."""
