"""The command line: `demotic VERB`, thin."""
