"""The rules of cdec's extractor: the same set, feature values and alignments."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from demotic.base import read_lines
from demotic.cli.main import run
from demotic.grammar import Grammar, GrammarIndex, index_files, read_grammar, read_segments
from grammar.corpora import EXACT, with_options

Sides = tuple[str, str]


@pytest.fixture(scope="module")
def index(golden: Path, tmp_path_factory: pytest.TempPathFactory) -> GrammarIndex:
    out = tmp_path_factory.mktemp("golden") / "index.bin"
    bitext = (golden / f"bitext.{side}.xz" for side in ("de", "en", "al"))
    return with_options(index_files(*bitext, out), replace(EXACT, lexical_mask=False))


@dataclass(frozen=True)
class Rules:
    """Lines of a grammar: two hundred thousand of them are compared, too many for an object each."""

    rows: dict[Sides, int]  # by source and target side
    names: str  # of the features
    features: npt.NDArray[np.float64]  # shape (rows, features)
    alignments: list[str]

    @staticmethod
    def of(lines: Iterable[str]) -> Rules:
        columns = list(zip(*(line.split(" ||| ") for line in lines), strict=True))
        _, sources, targets, features, alignments = columns
        names = {" ".join(pair.partition("=")[0] for pair in row.split(" ")) for row in set(features)}
        values = [float(pair.rpartition("=")[2]) for row in features for pair in row.split(" ")]
        rows = {sides: row for row, sides in enumerate(zip(sources, targets, strict=True))}
        assert len(rows) == len(sources), "a rule comes twice"
        assert len(names) == 1
        return Rules(rows, names.pop(), np.array(values).reshape(len(rows), -1), list(alignments))

    @staticmethod
    def of_grammar(grammar: Grammar) -> Rules:
        return Rules.of(grammar.native.to_text().decode().splitlines())

    def where(self, holds: Callable[[Sides, int], bool]) -> Rules:
        kept = {sides: row for sides, row in self.rows.items() if holds(sides, row)}
        return replace(self, rows=kept)

    def difference(self, other: Rules, sides: list[Sides]) -> npt.NDArray[np.float64]:
        """The greatest difference of a feature, for each of some rules that both have."""
        ours, theirs = ([each.rows[one] for one in sides] for each in (self, other))
        return np.abs(self.features[ours] - other.features[theirs]).max(axis=1, initial=0.0)


def assert_same(ours: Rules, expected: Rules) -> None:
    """The same rules with the same alignments, and features within 1e-5."""
    assert ours.names == expected.names
    assert ours.rows.keys() == expected.rows.keys()
    for sides, row in expected.rows.items():
        assert ours.alignments[ours.rows[sides]] == expected.alignments[row] != "", sides
    sides = list(expected.rows)
    difference = ours.difference(expected, sides)
    assert difference.max(initial=0.0) <= 1e-5, sides[int(difference.argmax())]


def expected(golden: Path, name: str) -> Iterator[Rules]:
    for segment in read_segments(golden / f"{name}.sgm"):
        yield Rules.of(read_lines(segment.grammar))


def test_all_rules(golden: Path, index: GrammarIndex):
    total = 0
    for line, rules in zip(read_lines(golden / "dev20.de"), expected(golden, "exact"), strict=True):
        assert_same(Rules.of_grammar(index.grammar(line)), rules)
        total += len(rules.rows)
    assert total == 46_895


def test_files_of_cdec_are_read(golden: Path):
    for segment, rules in zip(read_segments(golden / "exact.sgm"), expected(golden, "exact"), strict=True):
        assert_same(Rules.of_grammar(read_grammar(segment.grammar)), rules)


def test_leave_one_out(golden: Path, index: GrammarIndex):
    total = 0
    lines = read_lines(golden / "loo20.de")
    for number, (line, rules) in enumerate(zip(lines, expected(golden, "loo"), strict=True)):
        assert_same(Rules.of_grammar(index.grammar(line, exclude=number)), rules)
        total += len(rules.rows)
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
        ours = Rules.of_grammar(sampled.grammar(line))
        rare = [each.where(lambda _, row, each=each: each.features[row, 1] < full) for each in (ours, rules)]
        assert_same(*rare)
        chunks = {sides for sides in ours.rows.keys() | rules.rows.keys() if "[X" not in core(sides[0])}
        both = [sides for sides in chunks if sides in ours.rows and sides in rules.rows]
        equal = int((ours.difference(rules, both) <= 1e-5).sum())
        same, different = same + equal, different + len(chunks) - equal
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
        assert_same(Rules.of_grammar(read_grammar(segment.grammar)), rules)
    assert run(["grammar", "stats", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 5_000
    assert run([*arguments, "--samples", "0", "--leave-one-out", "--features", "nothing"]) == 1
    assert "known: cdec12" in capsys.readouterr().err
