"""Chart parsing, search and hypergraphs."""
