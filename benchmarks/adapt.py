"""Simulated post-editing: each line is translated, then its reference is learnt as its correction.

`python -m benchmarks adapt` does this on the embedded corpus. Other models, with files of translations for `demotic compare`:

    python -m benchmarks.adapt MODEL --src F --ref F [--ref F...] [--lines N] [--no-weights] [--max-step C] --out F
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import sacrebleu

from demotic.adapt import CorrectionOptions, LearningModel
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions


@dataclass
class PostEditing:
    """What a simulation gave.

    Attributes:
        translations: as text, one a line.
        milliseconds: CPU time of each correction; empty if nothing was learnt.
        wall: the same by the clock.
    """

    translations: list[str]
    milliseconds: list[float]
    wall: list[float]


def simulate(
    folder: Path, sources: list[str], corrections: list[str], options: CorrectionOptions | None
) -> PostEditing:
    """Translate each line with what was learnt from those before it; the model stays as it is.

    Args:
        folder: of the model.
        sources: raw text.
        corrections: of each line.
        options: None: nothing is learnt.
    """
    result = PostEditing([], [], [])
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "model"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("run", "replicas"))
        model = LearningModel(copy, options)
        for source, correction in zip(sources, corrections, strict=True):
            result.translations += model.translate([source], threads=1)
            if options is None:
                continue
            cpu, wall = time.process_time(), time.perf_counter()
            model.learn(source, correction)
            result.milliseconds.append(1000 * (time.process_time() - cpu))
            result.wall.append(1000 * (time.perf_counter() - wall))
    return result


def run(unit: float) -> None:
    """On the embedded corpus: BLEU with and without corrections, CPU time of a correction."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write(folder, EmbeddedOptions(train=2000, dev=0, devtest=200, test=0))
        model = folder / "model"
        train(TrainInput(folder / "train.de", folder / "train.en"), model, TrainOptions())
        sides = [(folder / f"devtest.{side}").read_text("utf-8").splitlines() for side in ("de", "en")]
        for name, options in VARIANTS.items():
            found = simulate(model, sides[0], sides[1], options)
            print(f"adapt  {name:<18}", *_figures(found, [sides[1]]))


VARIANTS: dict[str, CorrectionOptions | None] = {
    "nothing learnt": None,
    "pairs": CorrectionOptions(weights=False),
    "pairs and weights": CorrectionOptions(weights=True),
}


def _figures(found: PostEditing, references: list[list[str]]) -> Iterator[str]:
    yield f"BLEU {sacrebleu.corpus_bleu(found.translations, references).score:.2f}"
    if found.milliseconds:
        yield f"{statistics.median(found.milliseconds):.0f} CPU ms a correction (median)"
        yield f"{max(found.milliseconds):.0f} at most"
        yield f"{statistics.median(found.wall):.0f} ms by the clock (median)"
    yield f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB"


def main() -> None:
    """One variant on any model."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adapt", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--src", type=Path, required=True)
    parser.add_argument("--ref", type=Path, required=True, action="append", help="the first one is learnt")
    parser.add_argument("--out", type=Path, required=True, help="file for the translations")
    parser.add_argument("--lines", type=int, default=None)
    parser.add_argument("--nothing", action="store_true", help="learn nothing")
    parser.add_argument("--no-weights", action="store_true")
    parser.add_argument("--max-step", type=float, default=CorrectionOptions.max_step)
    given = parser.parse_args()
    options = CorrectionOptions(weights=not given.no_weights, max_step=given.max_step)
    sources, *references = (
        file.read_text("utf-8").splitlines()[: given.lines] for file in (given.src, *given.ref)
    )
    found = simulate(given.model, sources, references[0], None if given.nothing else options)
    given.out.write_text("".join(line + "\n" for line in found.translations), "utf-8")
    print(given.out, *_figures(found, references))


if __name__ == "__main__":
    main()
