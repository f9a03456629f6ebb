"""Signs of significance as the papers print them: raised numbers of algorithms, daggers, stars, bold face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from demotic.reproduce.context import SystemId
from demotic.reproduce.experiment import Column, Experiment, Mark, Row
from demotic.reproduce.scores import Scores

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Decoration:
    """What stands beside a score."""

    symbols: str = ""
    is_bold: bool = False


Decorations = dict[str, Decoration]  # by row


def decorate(
    marks: Sequence[Mark],
    rows: Sequence[Row],
    systems: Mapping[str, SystemId],
    scores: Scores,
    column: Column,
) -> Decorations:
    """Decorations of a column.

    Args:
        marks: what is tested.
        rows: of the table.
        systems: that the column looks at, by row.
        scores: of the systems.
        column: whose translations are compared.
    """
    found = dict.fromkeys(systems, Decoration())
    measured = [row for row in rows if row.id in systems]
    for mark in marks:
        if column.set not in mark.sets:
            continue
        for pair in sorted({pair for _, pair in systems.values()}):  # other languages are other sentences
            same = [row for row in measured if systems[row.id][1] == pair]
            test = _Tested(mark, same, systems, scores, column.translations)
            for id_, new in _KINDS[mark.against.partition(":")[0]](test).items():
                old = found[id_]
                found[id_] = Decoration(old.symbols + new.symbols, old.is_bold or new.is_bold)
    return found


@dataclass(frozen=True)
class _Tested:
    """Rows of a column, and one test."""

    mark: Mark
    rows: Sequence[Row]
    systems: Mapping[str, SystemId]
    scores: Scores
    name: str

    def differ(self, a: Row, b: Row) -> bool:
        first, second = self.systems[a.id], self.systems[b.id]
        return first != second and self.scores.p_value(first, second, self.name, self.mark.test) < self.mark.p

    def best(self, rows: Sequence[Row]) -> Row:
        return max(rows, key=lambda row: self.scores.mean(self.systems[row.id], self.name))


def _against_row(test: _Tested) -> Decorations:
    id_ = test.mark.against.partition(":")[2]
    other = next((row for row in test.rows if row.id == id_), None)
    if other is None:
        return {}
    sign = Decoration(test.mark.symbol)
    return {row.id: sign for row in test.rows if row is not other and test.differ(row, other)}


def _against_peers(test: _Tested) -> Decorations:
    """Other algorithms on the same features: their numbers, raised."""
    result = {}
    for row in test.rows:
        peers = [
            other
            for other in test.rows
            if other.group and other.group != row.group and other.features == row.features
        ]
        numbers = sorted({other.group for other in peers if test.differ(row, other)})
        result[row.id] = Decoration("".join(numbers).translate(_RAISED))
    return result


def _against_best(test: _Tested) -> Decorations:
    """The best of a group is bold, and what differs from it has the sign."""
    result: Decorations = {}
    for group in dict.fromkeys(row.group for row in test.rows):
        rows = [row for row in test.rows if row.group == group]
        if len(rows) < 2:
            continue
        best = test.best(rows)
        result |= {
            row.id: Decoration(test.mark.symbol) for row in rows if row is not best and test.differ(row, best)
        }
        result[best.id] = Decoration(is_bold=True)
    return result


def _against_others(test: _Tested) -> Decorations:
    """Bold if it is better than all others."""
    if len(test.rows) < 2:
        return {}
    best = test.best(test.rows)
    wins = all(test.differ(best, row) for row in test.rows if row is not best)
    return {best.id: replace(Decoration(), is_bold=wins)}


_KINDS = {"row": _against_row, "peers": _against_peers, "best": _against_best, "others": _against_others}


def explain(mark: Mark, experiment: Experiment) -> str:
    """What a sign means, in a line below the table."""
    test = {
        "randomization": "approximate randomisation",
        "bootstrap": "paired bootstrap",
    }[mark.test]
    kind, _, id_ = mark.against.partition(":")
    name = experiment.row(id_).name() if kind == "row" else ""
    meaning = {
        "row": f"{mark.symbol} differs from {name}",
        "peers": "raised numbers: differs from that algorithm on the same features",
        "best": f"{mark.symbol} differs from the best of the same algorithm, which is bold",
        "others": "bold: better than all others",
    }[kind]
    return f"{meaning} (p < {mark.p:g}, {test})"
