"""`demotic demo`: the whole job on the embedded corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demotic.align.pharaoh import read_links
from demotic.base.files import Pathish, atomic_write, make_folder, read_lines
from demotic.base.run import OnStage
from demotic.corpus.embedded import EmbeddedOptions
from demotic.corpus.embedded import write as write_corpus
from demotic.corpus.preparation import SOURCE, TARGET
from demotic.corpus.text import split_words
from demotic.evaluate import Comparison
from demotic.pipeline.train import TrainResult, train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from demotic.report import Report, RunFolder, TestFiles, report_of_runs, write_report
from demotic.report.figures import need_matplotlib
from demotic.reproduce.demo_systems import PLANS, SystemPlan, tune_systems


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
    model: Path  # with dense weights by MERT
    sparse: list[Path]  # models with sparse features, one for each plan
    training: TrainResult
    example: Example
    translations: list[Translation]  # of the test set
    comparison: (
        Comparison  # of the systems on the test set: users' BLEU, sacrebleu's default on detokenised text
    )
    report: Path  # a page


def demo(
    out: Pathish,
    *,
    options: EmbeddedOptions | None = None,
    training: TrainOptions | None = None,
    plans: Sequence[SystemPlan] = PLANS,
    seed: int = 1,
    workers: int = 1,
    on_stage: OnStage | None = None,
    on_epoch: Callable[[Mapping[str, Any]], None] | None = None,
    on_system: Callable[[str], None] | None = None,
) -> DemoResult:
    """Generate the corpus, train a baseline on it, learn sparse features on the training set, compare.

    Args:
        out: folder; leaves `corpus/{train,dev,devtest,test}.{de,en}`, `model/`, a model for each plan, `test.translated.en` and
            `report.html`.
        options: size of the corpus.
        training: how the baseline is trained.
        plans: the systems with sparse features.
        seed: of the training.
        workers: processes.
        on_stage: told `(name, seconds)` as each stage ends; None: it was done before.
        on_epoch: told a row of figures after each epoch of a learner.
        on_system: told the name of each sparse system before it is tuned.
    """
    need_matplotlib()
    folder = make_folder(out)
    corpus, model = make_folder(folder / "corpus"), folder / "model"
    write_corpus(corpus, options or EmbeddedOptions())
    files = TrainInput(corpus / "train.de", corpus / "train.en", corpus / "dev.de", [corpus / "dev.en"])
    result = train(
        files,
        model,
        training,
        seed=seed,
        workers=workers,
        on_stage=on_stage,
        on_epoch=on_epoch,
    )
    sparse = tune_systems(
        corpus,
        model,
        folder,
        plans=plans,
        seed=seed,
        workers=workers,
        on_system=on_system,
        on_epoch=on_epoch,
    )
    report = _report(corpus, [RunFolder.find(model, "MERT"), *sparse], workers)
    translations = _translations(report)
    with atomic_write(folder / "test.translated.en") as file:
        file.writelines(item.translation + "\n" for item in translations)
    page, *_ = write_report(report, folder / "report.html")
    comparison = report.test_sets[0].comparison
    assert comparison is not None
    folders = [run.folder for run in sparse]
    return DemoResult(corpus, model, folders, result, _example(result), translations, comparison, page)


def _report(corpus: Path, systems: Sequence[RunFolder], workers: int) -> Report:
    """The test set translated, scored and explained."""
    test = TestFiles(corpus / "test.de", [corpus / "test.en"], "test")
    lead = (
        "Demotic generated a small German-English corpus from a hand-written grammar, aligned its words, estimated a language "
        "model, indexed the corpus for rules, and learnt the weights of a dozen features on held-out sentences with MERT. Then it "
        "learnt tens of thousands of sparse features on the training set itself, by two methods.",
        "Below: how good the translations are, how the weights were learnt, and sentences whose derivations can be opened rule by rule.",
    )
    return report_of_runs(systems, title="Demotic demo", lead=lead, test=test, threads=workers)


def _translations(report: Report) -> list[Translation]:
    """Of the whole test set, by the last system."""
    examples = report.test_sets[0].examples
    return [Translation(e.source, e.references[0], list(e.outputs.values())[-1].text) for e in examples]


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
