"""Translation quality and significance."""
