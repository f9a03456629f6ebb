"""The audit: its score against a plain definition, and wrong pairs that were planted."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.adapt import CorrectionOptions, LearningModel
from demotic.adapt.auditing import AuditOptions, audit, pair_figures
from demotic.cli.main import run
from demotic.decode import TranslationModel
from demotic.grammar import GrammarIndex, index_files

Pair = tuple[list[str], list[str], list[tuple[int, int]]]


def index_of(pairs: list[Pair], folder: Path) -> GrammarIndex:
    sides = [
        "".join(" ".join(source) + "\n" for source, _, _ in pairs),
        "".join(" ".join(target) + "\n" for _, target, _ in pairs),
        "".join(" ".join(f"{i}-{j}" for i, j in links) + "\n" for _, _, links in pairs),
    ]
    paths = [folder / name for name in ("s", "t", "a")]
    for path, text in zip(paths, sides, strict=True):
        path.write_text(text)
    return index_files(*paths, folder / "index.bin")


def plain_scores(pairs: list[Pair], left_out: int) -> tuple[float, float]:
    """Model 1 with the relative frequencies of all other pairs."""
    together: Counter[tuple[str, str]] = Counter()
    for number, (source, target, links) in enumerate(pairs):
        if number == left_out:
            continue
        together.update((source[i], target[j]) for i, j in links)
        together.update((f, "") for i, f in enumerate(source) if i not in {i for i, _ in links})
        together.update(("", e) for j, e in enumerate(target) if j not in {j for _, j in links})
    lefts, rights = Counter(), Counter()
    for (f, e), count in together.items():
        lefts[f] += count
        rights[e] += count
    source, target, _ = pairs[left_out]

    def mean(words: list[str], others: list[str], totals: Counter, probability) -> float:
        logs = [
            math.log10(
                max(1e-6, sum(probability(word, other) for other in [*others, ""]) / (len(others) + 1))
            )
            for word in words
            if totals[word]
        ]
        return sum(logs) / len(logs) if logs else -6.0

    return (
        mean(target, source, rights, lambda e, f: together[f, e] / lefts[f] if together[f, e] else 0),
        mean(source, target, lefts, lambda f, e: together[f, e] / rights[e] if together[f, e] else 0),
    )


@st.composite
def small_corpora(draw) -> list[Pair]:
    pairs = []
    for _ in range(draw(st.integers(1, 6))):
        source = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=4))
        target = draw(st.lists(st.sampled_from("xyz"), min_size=1, max_size=4))
        link = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
        pairs.append((source, target, sorted(draw(st.sets(link, max_size=4)))))
    return pairs


@settings(max_examples=25, deadline=None)
@given(small_corpora())
def test_scores_are_those_of_the_corpus_without_the_pair(tmp_path_factory, pairs):
    found = index_of(pairs, tmp_path_factory.mktemp("audit")).pair_scores(threads=2)
    expected = [plain_scores(pairs, i) for i in range(len(pairs))]
    assert found == pytest.approx(np.array(expected), abs=1e-4)


def planted(size: int, wrong: int, seed: int) -> tuple[list[Pair], set[int]]:
    """Word-for-word translations, some of which have been exchanged with each other."""
    draw = random.Random(seed)
    pairs: list[Pair] = []
    for _ in range(size):
        numbers = [int(draw.paretovariate(0.7)) % 300 for _ in range(draw.randint(4, 12))]
        words = [f"f{n}" for n in numbers], [f"e{n}" for n in numbers]
        pairs.append((*words, [(i, i) for i in range(len(numbers))]))
    chosen = draw.sample(range(size), wrong)
    targets = [pairs[i][1] for i in chosen]
    for i, target in zip(chosen, targets[1:] + targets[:1], strict=True):
        source = pairs[i][0]
        pairs[i] = source, target, [(k, k) for k in range(min(len(source), len(target)))]
    return pairs, set(chosen)


def test_pairs_that_were_exchanged_are_found(tmp_path: Path):
    pairs, wrong = planted(1000, 20, seed=3)
    scores = pair_figures(index_of(pairs, tmp_path), AuditOptions()).scores
    order = np.argsort(-scores, kind="stable")
    assert len(wrong & set(order[:20].tolist())) >= 18


def test_copies_and_lengths_are_reasons(tmp_path: Path):
    pairs, _ = planted(300, 0, seed=4)
    pairs[7] = (["f1", "f2", "f3", "f1"], ["f1", "f2", "f3", "f1"], [(i, i) for i in range(4)])
    pairs[9] = (["f1", "f2"], ["e1", "e2"] * 12, [(0, 0), (1, 1)])
    figures = pair_figures(index_of(pairs, tmp_path), AuditOptions())
    assert figures.copied[7] == 1
    assert figures.length[9] > 5
    assert set(np.argsort(-figures.scores, kind="stable")[:2].tolist()) == {7, 9}


def test_on_the_command_line(model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    tsv, page = tmp_path / "audit.tsv", tmp_path / "audit.html"
    assert (
        run(["audit", str(model_folder), "--top", "5", "--out", str(tsv), "--page", str(page), "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)["pairs"]
    assert len(found) == 5
    assert [each["score"] for each in found] == sorted((each["score"] for each in found), reverse=True)
    rows = [line.split("\t") for line in tsv.read_text("utf-8").splitlines()]
    assert rows[0] == ["line", "score", "reasons", "source", "target"]
    assert [int(row[0]) for row in rows[1:]] == [each["line"] for each in found]
    assert "Audit of" in page.read_text("utf-8")
    assert run(["audit", str(model_folder), "--top", "2"]) == 0
    assert "most suspicious" in capsys.readouterr().out
    assert len(audit(TranslationModel(model_folder))) == 10


def test_pairs_that_were_added_are_judged_too(learnable: Path, corpus: Path, tmp_path: Path):
    """They have no line in the training text, and count after its pairs."""
    folder = shutil.copytree(learnable, tmp_path / "model")
    texts = [(corpus / f"train.{language}").read_text("utf-8").splitlines() for language in ("de", "en")]
    model = LearningModel(folder, CorrectionOptions(weights=False))
    assert model.learn(texts[0][3], texts[1][8])  # a wrong one
    found = {each.pair: each for each in audit(model, top=len(model.index), threads=1)}
    added = len(model.index) - 1
    assert found[added].line == added + 1
    assert [found[added].source, found[added].target] == list(model.prepared(texts[0][3], texts[1][8]))
    for each in (found[0], found[added - 1]):
        assert " ".join(model.preprocessor.words(texts[0][each.line - 1], "source")) == each.source
