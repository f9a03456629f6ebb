"""From tokenised text to unique 100-best lists with rules from the index: 1,000 Multi30k sentences, and long Europarl ones.

Extraction, features, search and lists, with a 3-gram model of the training text and the golden weights.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import measure
from benchmarks.grammar import index_of, prepared
from demotic import _core
from demotic.base import read_lines
from demotic.cli.common import table
from demotic.corpus.text import split_words
from demotic.decode import Decoder, KBest
from demotic.features import TemplateSet, Weights
from demotic.grammar import ExtractOptions, GrammarIndex
from demotic.lm import LanguageModel, LmOptions, train

SENTENCES = 1000
SPARSE = "id,ngram,shape"
# Units of work per sentence of cdec's extractor, and of cdec with dense and with sparse features (golden/README.md).
CDEC_EXTRACT, CDEC_DECODE = 1.4, {"": 1.8, SPARSE: 8.3}
STAGES = ("extraction", "features", "parse, search", "k-best", "read-out")
LONG = range(55, 66)  # words


@dataclass(frozen=True)
class Model:
    """Files of a corpus."""

    index: Path
    lm: Path
    sentences: list[str]

    def decoder(self, templates: str) -> Decoder:
        """With rules from the index."""
        weights = Weights.load(measure.shared() / "golden" / "weights.txt")
        sparse = TemplateSet(templates.split(",")) if templates else None
        return Decoder(LanguageModel.load(self.lm), weights, GrammarIndex(self.index), sparse)


def run(unit: float) -> None:
    """Print the tables."""
    console = Console()
    model = model_of("multi30k")
    stages = {templates: measure.in_process(_by_stage, model, templates) for templates in ("", SPARSE)}
    unit = (unit + measure.seconds_per_unit()) / 2  # other work on the machine comes and goes
    console.print(_cost_table({templates: cost.result for templates, cost in stages.items()}, unit))
    runs = [measure.in_process(_stream, model, templates, n) for templates in ("", SPARSE) for n in (1, 2)]
    console.print(
        table(
            "Threads",
            ["features", "threads", "wall s", "CPU s", "sentences/s", "speed-up", "peak MB", "bytes"],
            [
                (
                    name,
                    threads,
                    cost.wall,
                    cost.cpu,
                    f"{len(model.sentences) / cost.wall:.0f}",
                    f"{runs[first].wall / cost.wall:.2f}x",
                    round(cost.peak),
                    "" if threads == 1 else "the same" if cost.result == runs[first].result else "OTHERS",
                )
                for name, first in (("12", 0), (f"12 + {SPARSE}", 2))
                for threads, cost in ((1, runs[first]), (2, runs[first + 1]))
            ],
        )
    )
    long = model_of("europarl")
    console.print(
        table(
            f"Europarl, {len(long.sentences)} sentences of {LONG.start} to {LONG.stop - 1} words",
            ["features", "CPU ms a sentence", "MB mapped", "own MB before", "at most"],
            [
                (f"12 + {t}" if t else "12", *measure.in_process(_memory, long, t).result)
                for t in ("", SPARSE)
            ],
        )
    )


def model_of(corpus: str) -> Model:
    """Index and language model, built where they are missing, and the sentences to translate."""
    index = measure.CACHE / f"{corpus}.index"
    if not index.exists():
        index_of(measure.in_process(prepared, corpus).result)
    lm = measure.CACHE / f"{corpus}.lm3.bin"
    if not lm.exists():
        train([measure.CACHE / f"{corpus}.en"], LmOptions(order=3), lm)
    lines = list(read_lines(measure.CACHE / f"{corpus}.test.de"))
    chosen = [line for line in lines if len(split_words(line)) in LONG] if corpus == "europarl" else lines
    return Model(index, lm, chosen[:SENTENCES])


# ---------------------------------------------------------------------------------------------------- measurements


def _by_stage(model: Model, templates: str) -> list[float]:
    """CPU milliseconds a sentence of each stage, one thread; the steps of `Decoder.kbest`, one by one."""
    decoder = model.decoder(templates)
    assert decoder.rules is not None
    weights, seconds = decoder.weights, [0.0] * len(STAGES)
    for line in model.sentences:
        marks = [time.process_time()]
        grammar = decoder.rules.grammar(line)
        marks.append(time.process_time())
        features = decoder.templates.rule_features(grammar, weights.index) if decoder.templates else None
        marks.append(time.process_time())
        graph = decoder.native.decode(
            split_words(line), grammar.native, features, weights.index, weights.values
        )
        marks.append(time.process_time())
        native = _core.kbest(graph, 100, True)
        marks.append(time.process_time())
        KBest(native, weights.index)
        marks.append(time.process_time())
        seconds = [
            total + after - before for total, before, after in zip(seconds, marks, marks[1:], strict=False)
        ]
    return [1e3 * total / len(model.sentences) for total in seconds]


def _stream(model: Model, templates: str, threads: int) -> str:
    """Decode everything; a digest of all lists, with the names of their features."""
    decoder = model.decoder(templates)
    digest = hashlib.sha256()
    for found in decoder.kbest(model.sentences, 100, threads=threads):
        for part in _contents(found):
            digest.update(part)
    for i in range(len(decoder.weights.index)):
        digest.update(decoder.weights.index.name(i).encode() + b"\n")
    return digest.hexdigest()


def _contents(found: KBest) -> Iterator[bytes]:
    yield "\n".join(found.vocabulary).encode()
    for array in (
        found.scores,
        found.words,
        found.word_begins,
        found.features,
        found.values,
        found.row_begins,
    ):
        yield array.tobytes()


def _memory(model: Model, templates: str) -> tuple[float, float, float, float]:
    """CPU milliseconds a sentence, MB of mapped files, MB of memory of its own before and at most; without extraction's cache."""
    decoder = model.decoder(templates)
    decoder.rules = GrammarIndex(model.index, ExtractOptions(cache_mb=0))
    before, started = _resident("RssAnon"), time.process_time()
    most = before
    for _ in decoder.kbest(model.sentences, 100, threads=1):
        most = max(most, _resident("RssAnon"))
    return 1e3 * (time.process_time() - started) / len(model.sentences), _resident("RssFile"), before, most


def _resident(kind: str) -> float:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[kind].split()[0]) / 1024


# ----------------------------------------------------------------------------------------------------------- tables


def _cost_table(stages: dict[str, list[float]], unit: float) -> Table:
    dense, sparse = (sum(milliseconds) for milliseconds in stages.values())
    rows = [
        (
            stage,
            *(cell for part, total in ((a, dense), (b, sparse)) for cell in (part, f"{part / total:.0%}")),
        )
        for stage, a, b in zip(STAGES, *stages.values(), strict=True)
    ]
    peers = [(CDEC_EXTRACT + CDEC_DECODE[templates]) * unit * 1e3 for templates in stages]
    rows.append(("all", dense, "", sparse, f"+{100 * (sparse / dense - 1):.0f}%"))
    rows.append(("sentences a second", 1e3 / dense, "", 1e3 / sparse, ""))
    rows.append(
        ("cdec, by units", peers[0], f"{peers[0] / dense:.0f}x", peers[1], f"{peers[1] / sparse:.0f}x")
    )
    return table(
        f"Multi30k, {SENTENCES} sentences, unique 100-best, one thread, CPU ms a sentence",
        ["stage", "12 features", "", f"12 + {SPARSE}", ""],
        rows,
    )
