"""Held-out line search (Flanigan, Dyer and Carbonell 2013)."""
