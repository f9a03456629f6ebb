"""Where shards run: threads of this machine or a Ray cluster."""
