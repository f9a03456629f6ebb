"""The rules of cdec's extractor: the same set, feature values and alignments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from demotic.base import read_lines
from demotic.cli.main import run
from demotic.grammar import GrammarIndex, index_files, read_grammar, read_segments
from grammar.corpora import EXACT, assert_same, by_sides, with_options


@pytest.fixture(scope="module")
def index(golden: Path, tmp_path_factory: pytest.TempPathFactory) -> GrammarIndex:
    out = tmp_path_factory.mktemp("golden") / "index.bin"
    bitext = (golden / f"bitext.{side}.xz" for side in ("de", "en", "al"))
    return with_options(index_files(*bitext, out), replace(EXACT, lexical_mask=False))


def expected(golden: Path, name: str) -> Iterator[dict]:
    for segment in read_segments(golden / f"{name}.sgm"):
        yield by_sides(read_grammar(segment.grammar))


def test_all_rules(golden: Path, index: GrammarIndex):
    total = 0
    for line, rules in zip(read_lines(golden / "dev20.de"), expected(golden, "exact"), strict=True):
        assert_same(by_sides(index.grammar(line)), rules)
        total += len(rules)
    assert total == 46_895


def test_leave_one_out(golden: Path, index: GrammarIndex):
    total = 0
    lines = read_lines(golden / "loo20.de")
    for number, (line, rules) in enumerate(zip(lines, expected(golden, "loo"), strict=True)):
        assert_same(by_sides(index.grammar(line, exclude=number)), rules)
        total += len(rules)
    assert total == 48_723


def core(source: str) -> str:
    """The pattern that was looked up: without nonterminals at the ends."""
    words = source.split()
    return " ".join(words[words[0] == "[X,1]" : len(words) - words[-1].startswith("[X,")])


def test_sampling(golden: Path, index: GrammarIndex):
    """Patterns of at most 300 occurrences are the same; of more, chunks are where cdec's sample is the same up to rounding."""
    sampled = with_options(index, replace(EXACT, max_samples=300, scan_limit=10**9))
    full = 2.4785  # SampleCountF of 300
    same = different = 0
    for line, rules in zip(read_lines(golden / "dev20.de"), expected(golden, "default"), strict=True):
        ours = by_sides(sampled.grammar(line))

        def rare(some: dict) -> dict:
            return {sides: rule for sides, rule in some.items() if rule.features[1] < full}

        assert_same(rare(ours), rare(rules))
        for sides in {s for s in ours.keys() | rules.keys() if "[X" not in core(s[0])}:
            equal = (
                sides in ours
                and sides in rules
                and ours[sides].features == pytest.approx(rules[sides].features, abs=1e-5)
            )
            same, different = same + equal, different + (not equal)
    assert same > 10_000 and different < 0.03 * same


@pytest.mark.parametrize("step", [396, pytest.param(99, marks=pytest.mark.slow)])
def test_mask_equals_an_index_without_the_sentence(
    golden: Path, index: GrammarIndex, tmp_path: Path, step: int
):
    """The real corpus, thirteen (slow: fifty) sentences spread over it, each against an index of its own."""
    masked = with_options(index, EXACT)
    lines = [list(read_lines(golden / f"bitext.{side}.xz")) for side in ("de", "en", "al")]
    files = [tmp_path / side for side in ("de", "en", "al")]
    for i in range(0, 50 * 99, step):
        for file, column in zip(files, lines, strict=True):
            file.write_text("\n".join(column[:i] + column[i + 1 :]) + "\n", "utf-8")
        without = with_options(index_files(*files, tmp_path / "index.bin"), EXACT)
        # The same bytes: counts are equal, so is everything that is computed from them.
        ours, theirs = masked.grammar(lines[0][i], exclude=i), without.grammar(lines[0][i])
        assert ours.native.to_text() == theirs.native.to_text()


def test_command_line(golden: Path, index: GrammarIndex, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, out = index.native.path, tmp_path / "grammars"
    arguments = ["grammar", "extract", path, "--input", str(golden / "loo20.de"), "--out", str(out)]
    assert run([*arguments, "--samples", "0", "--leave-one-out", "--no-lexical-mask"]) == 0
    (tmp_path / "input.sgm").write_text(capsys.readouterr().out, "utf-8")
    for segment, rules in zip(read_segments(tmp_path / "input.sgm"), expected(golden, "loo"), strict=True):
        assert_same(by_sides(read_grammar(segment.grammar)), rules)
    assert run(["grammar", "stats", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 5_000
    assert run([*arguments, "--samples", "0", "--leave-one-out", "--features", "nothing"]) == 1
    assert "known: cdec12" in capsys.readouterr().err
