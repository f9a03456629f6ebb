"""Entry point of `demotic`."""


def main() -> None:
    """Run the command line."""
