"""What the layers cost, beside what their peers cost. `make bench`, or `python -m benchmarks NAME...`."""
