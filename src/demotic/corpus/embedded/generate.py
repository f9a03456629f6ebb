"""The splits of the embedded corpus: deterministic, disjoint, and instant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from demotic.base import DemoticError, atomic_write
from demotic.base.files import Pathish, make_folder
from demotic.corpus.embedded.sentences import sentence
from demotic.corpus.embedded.splitmix import SplitMix

SHORTEST, LONGEST = 4, 25  # words a side


@dataclass(frozen=True)
class EmbeddedOptions:
    """How many sentence pairs each split has."""

    train: int = 4000
    dev: int = 300
    devtest: int = 300
    test: int = 300
    seed: int = 1


DEFAULTS = EmbeddedOptions()


def generate(options: EmbeddedOptions = DEFAULTS) -> dict[str, list[tuple[str, str]]]:
    """Generate the splits `train`, `dev`, `devtest` and `test` of (German, English) pairs, as a person would write them.

    No German sentence occurs twice. Each split has its own stream of chance and training comes last, so that a larger
    training set leaves the others as they are and begins with the smaller one.
    """
    for field in fields(options):
        if field.name != "seed" and getattr(options, field.name) < 0:
            raise DemoticError(f"{field.name} must be at least 0 (got {getattr(options, field.name)})")
    splits: dict[str, list[tuple[str, str]]] = {"train": []}
    seen: set[str] = set()
    root = SplitMix(options.seed)
    for name in ("dev", "devtest", "test", "train"):
        pairs = _new_pairs(root.split(), seen)
        splits[name] = [next(pairs) for _ in range(getattr(options, name))]
    return splits


def write(folder: Pathish, options: EmbeddedOptions = DEFAULTS) -> None:
    """Write `train.de`, `train.en`, `dev.de` and so on into a folder, which is created if absent."""
    target = Path(make_folder(folder))
    for name, pairs in generate(options).items():
        for side, language in enumerate(("de", "en")):
            with atomic_write(target / f"{name}.{language}") as file:
                file.writelines(f"{pair[side]}\n" for pair in pairs)


def _new_pairs(rng: SplitMix, seen: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of proper length whose German side, case aside, has not been seen."""
    while True:
        german, english = sentence(rng)
        key = german.lower()
        if key in seen or not all(SHORTEST <= len(text.split()) <= LONGEST for text in (german, english)):
            continue
        seen.add(key)
        yield german, english
