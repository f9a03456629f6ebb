"""What every fit shares: fold models, keys of stages, checkpoints, reports."""
