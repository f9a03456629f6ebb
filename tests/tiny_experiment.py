"""An experiment of `demotic reproduce` on a tiny corpus, to which a test adds columns and rows."""

from __future__ import annotations

from pathlib import Path

from demotic.reproduce import CorpusFolder, Experiment, ReproduceOptions, Result, read_experiment, reproduce

TINY_BASE = """
paper = "Nobody (2000), table 1"
title = "a tiny table"
corpus = "a corpus of the paper"
shuffles = 50
[base.align]
iterations = 0.2
[base.grammar]
features = "hiero8"
[sizes]
sentences = 20
[options.mert]
iterations = 1
k = 10
restarts = 1
[options.perceptron]
epochs = 1
k = 10
[options.itermix]
epochs = 1
k = 10
shards = 2
[options.svm]
epochs = 1
k = 10
leave_out = "none"
report_every = 10
[options.pro]
iterations = 1
k = 10
start = "model"
"""
BLEU = '[[columns]]\ntitle = "test"\nvalue = "bleu"\n'


def experiment(folder: Path, text: str) -> Experiment:
    """`TINY_BASE` and this text, read from a file in a folder."""
    (folder / "tiny.toml").write_text(TINY_BASE + text, "utf-8")
    return read_experiment(folder / "tiny.toml", "full")


def run(tiny: Experiment, corpus: CorpusFolder, out: Path) -> tuple[Result, dict[str, str]]:
    """The result and its cells by row and column."""
    result, _ = reproduce(tiny, corpus, out, ReproduceOptions(threads=1))
    table = result.table.to_json()
    return result, {
        f"{row[0]}/{name}": cell
        for row in table["rows"]
        for name, cell in zip(table["header"], row, strict=True)
    }
