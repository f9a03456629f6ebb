"""Translation grammars: the suffix-array index and rule extraction."""
