"""`demotic demo`: the whole job on the embedded corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sacrebleu.metrics.bleu import BLEU

from demotic.align.pharaoh import read_links
from demotic.base.files import Pathish, atomic_write, make_folder, read_lines
from demotic.base.progress import track
from demotic.corpus.embedded import EmbeddedOptions
from demotic.corpus.embedded import write as write_corpus
from demotic.corpus.preparation import SOURCE, TARGET
from demotic.corpus.text import split_words
from demotic.decode import TranslationModel
from demotic.experiments.train import TrainInput, TrainOptions, TrainResult, train


@dataclass(frozen=True)
class Example:
    """A sentence pair and its word alignment."""

    source: list[str]
    target: list[str]
    links: set[tuple[int, int]]


@dataclass(frozen=True)
class Translation:
    """A test sentence, its reference, and what the model makes of it."""

    source: str
    reference: str
    translation: str


@dataclass(frozen=True)
class DemoResult:
    """What the demo leaves behind."""

    corpus: Path
    model: Path
    training: TrainResult
    example: Example
    translations: list[Translation]  # of the test set
    bleu: str  # sacrebleu's score of the test set, with its signature


def demo(
    out: Pathish,
    *,
    options: EmbeddedOptions | None = None,
    seed: int = 1,
    workers: int = 1,
    on_stage: Callable[[str, bool], None] | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
) -> DemoResult:
    """Generate the corpus, train on it, pick an example worth looking at.

    Args:
        out: folder; leaves `corpus/{train,dev,devtest,test}.{de,en}`, `model/` and `test.translated.en`.
        options: size of the corpus.
        seed: of the training.
        workers: processes.
        on_stage: told `(name, reused)` as each stage begins.
        on_epoch: told a row of figures after each epoch of the learner.
    """
    folder = make_folder(out)
    corpus, model = make_folder(folder / "corpus"), folder / "model"
    write_corpus(corpus, options or EmbeddedOptions())
    files = TrainInput(corpus / "train.de", corpus / "train.en", corpus / "dev.de", [corpus / "dev.en"])
    result = train(
        files, model, TrainOptions(), seed=seed, workers=workers, on_stage=on_stage, on_epoch=on_epoch
    )
    translations = _translate_test(corpus, model, workers)
    with atomic_write(folder / "test.translated.en") as file:
        file.writelines(item.translation + "\n" for item in translations)
    return DemoResult(corpus, model, result, _example(result), translations, _bleu(translations))


def _translate_test(corpus: Path, model: Path, workers: int) -> list[Translation]:
    sources, references = list(read_lines(corpus / "test.de")), list(read_lines(corpus / "test.en"))
    outputs = track(TranslationModel(model).translate(sources, workers), "translate", len(sources), "lines")
    return [Translation(*item) for item in zip(sources, references, outputs, strict=True)]


def _bleu(translations: list[Translation]) -> str:
    """Users' BLEU: sacrebleu's default, on detokenised text."""
    metric = BLEU()
    score = metric.corpus_score(
        [item.translation for item in translations], [[item.reference for item in translations]]
    )
    return f"{score.score:.1f}   ({metric.get_signature()})"


def _example(result: TrainResult) -> Example:
    """The sentence of 6 to 8 words whose links cross most often: where German and English order differ."""
    lines = zip(
        read_lines(result.prepared / SOURCE),
        read_lines(result.prepared / TARGET),
        read_links(result.alignment),
        strict=True,
    )
    candidates = [
        Example(split_words(source), split_words(target), links) for source, target, (links, _) in lines
    ]
    fitting = [
        example for example in candidates if 6 <= len(example.source) <= 8 and len(example.target) <= 10
    ] or candidates
    return max(fitting, key=lambda example: (_crossings(example.links), example.source))


def _crossings(links: set[tuple[int, int]]) -> int:
    return sum(1 for i, j in links for k, m in links if i < k and j > m)
