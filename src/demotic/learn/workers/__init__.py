"""What travels to a worker and what it does there."""
