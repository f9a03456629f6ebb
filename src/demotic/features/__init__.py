"""Feature templates and the feature index."""
