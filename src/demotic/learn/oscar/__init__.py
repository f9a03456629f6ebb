"""Feature grouping (Liu, Zhao, Watanabe and Sumita 2013)."""
