"""Reading, checking, preparing and storing parallel text."""
