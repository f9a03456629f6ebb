"""Model files: which format a name asks for, and writing it."""

from __future__ import annotations

from os import fspath
from pathlib import Path

from demotic._core import Ngrams, build_model
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write_bytes
from demotic.base.progress import Progress


def is_arpa(path: Pathish) -> bool:
    """Whether a name asks for ARPA (`.arpa`, `.arpa.gz`, `.arpa.xz`); the other choice is binary (`.bin`)."""
    name = Path(path).name
    if name.endswith((".arpa", ".arpa.gz", ".arpa.xz")):
        return True
    if name.endswith(".bin"):
        return False
    raise DemoticError(
        "unknown format of language model",
        path,
        hint="use .bin (binary), or .arpa, .arpa.gz or .arpa.xz (text, for other tools)",
    )


def write_ngrams(ngrams: Ngrams, path: Pathish, threads: int) -> None:
    """Write a model in the format that its name asks for. The n-grams may be used up."""
    if not is_arpa(path):
        with Progress("write model", total=2, unit="steps") as bar:
            model = build_model(ngrams)
            bar.advance()
            model.write(fspath(path))
            bar.advance()
        return
    with Progress("write ARPA", unit="MB") as bar, atomic_write_bytes(path) as file:

        def write(text: bytes) -> None:
            file.write(text)
            bar.advance(len(text) >> 20)

        ngrams.write_arpa(write, threads)
