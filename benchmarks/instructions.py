"""Instructions of the first epoch of learning, counted by valgrind, and a digest of its lists.

CPU times on a machine that does other work differ by a third from run to run; counts do not. Two versions of the code that print
the same digest make the same lists to the byte. `python -m benchmarks.instructions MODEL` does it for a model folder of your own.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from benchmarks import measure
from benchmarks.learn import CORPORA, model
from demotic.cli.common import table
from demotic.decode import Decoder, TranslationModel
from demotic.learn import training_examples

# Sentences before those that are counted: loading, and what the first ones leave in caches.
_WARM, _COUNTED, _LISTED = 10, 20, 100
_TEMPLATES = ("id", "src_ngram", "shape")


def run(unit: float) -> None:
    """Print the table."""
    del unit  # counts only
    if shutil.which("valgrind") is None:
        Console().print("instructions: left out, valgrind not found")
        return
    print_table({corpus: model(corpus) for corpus in CORPORA})


def print_table(folders: dict[str, Path]) -> None:
    """Counts and digests of some model folders."""
    rows = []
    for name, folder in folders.items():
        begin, end = (_instructions(folder, sentences) for sentences in (_WARM, _WARM + _COUNTED))
        digest = measure.in_process(lists, folder, _LISTED).result
        rows.append((name, f"{(end - begin) / _COUNTED / 1e6:.1f} M", digest))
    columns = [
        "corpus",
        f"instructions a sentence, mean of {_COUNTED}",
        f"digest of the lists of {_LISTED} sentences",
    ]
    title = f"instructions: first epoch, leave-one-out, 100-best, {','.join(_TEMPLATES)}; without the update"
    Console(width=140).print(table(title, columns, rows))


def lists(folder: Path, sentences: int) -> str:
    """Decode training sentences as an epoch does; a digest of scores, words, features and derivations."""
    model_ = TranslationModel(folder)
    templates = model_.template_set(_TEMPLATES, None)
    decoder = Decoder(model_.lm, model_.weights, model_.index, templates, model_.options.decode)
    digest = hashlib.sha256()
    # The first of as many as are ever drawn, so that a longer run begins like a shorter one.
    for example in training_examples(model_, _LISTED)[:sentences]:
        grammar = model_.index.grammar(example.source, example.number)
        found = decoder.decode(example.source, grammar=grammar).kbest(100, unique=True)
        for array in (found.scores, found.words, found.features, found.values, found.row_begins, found.edges):
            digest.update(array.tobytes())
        digest.update("\n".join(found.vocabulary).encode())
    return digest.hexdigest()[:16]


def _instructions(folder: Path, sentences: int) -> int:
    """Of a whole process with so many sentences."""
    with tempfile.TemporaryDirectory() as out:
        counter = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}/counts"]
        work = [sys.executable, "-m", "benchmarks.instructions", str(folder), str(sentences)]
        done = subprocess.run(counter + work, capture_output=True, text=True, check=True, cwd=measure.ROOT)
    counted = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    assert counted is not None, done.stderr
    return int(counted[1])


if __name__ == "__main__":
    if len(sys.argv) == 3:  # what is counted
        print(lists(Path(sys.argv[1]), int(sys.argv[2])))
    else:
        print_table({folder: Path(folder) for folder in sys.argv[1:]})
