"""Demotic beside the established tools, measured in the same run on the same machine: `python -m benchmarks.peers`."""
