"""Example translations: which are shown, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from demotic.report.derivations import Derivations, TreeButton
from demotic.report.parts import ExamplePart, Report, SystemOutput, TestSet
from demotic.report.templating import slug
from demotic.report.word_diff import spaced_diff

Words = Sequence[tuple[str, str]]  # ("same" | "gone" | "new", text)


@dataclass(frozen=True)
class RowView:
    """A row of a card: a sentence in one language."""

    name: str  # of who wrote it
    words: Words
    language: str | None
    figures: str = ""
    button: TreeButton | None = None


@dataclass(frozen=True)
class CardView:
    """A sentence with its translations; cards are sorted by their keys."""

    line: int
    keys: Sequence[tuple[str, str]]
    rows: Sequence[RowView]


@dataclass(frozen=True)
class ExamplesView:
    """What `examples.html` shows.

    Attributes:
        name: of the test set, for anchors.
        chosen: which sentences are shown.
        against: what the marks compare a translation with.
        orders: in which cards can be sorted, KEY:DIRECTION and what the reader sees.
        cards: in the order of the test set.
    """

    name: str
    chosen: str
    against: str
    orders: Sequence[tuple[str, str]]
    cards: Sequence[CardView]


def examples_view(test_set: TestSet, report: Report, derivations: Derivations) -> ExamplesView | None:
    """Chosen sentences; None if there is none."""
    if not test_set.examples:
        return None
    shown = choose_examples(test_set.examples, report.examples_shown)
    systems = list(dict.fromkeys(name for example in shown for name in example.outputs))
    return ExamplesView(
        slug(test_set.name),
        _chosen(systems, len(shown), len(test_set.examples)),
        f"the translation by {systems[0]}" if len(systems) > 1 else "the reference",
        _orders(systems),
        [_card(example, systems, report.languages, derivations) for example in shown],
    )


def choose_examples(examples: Sequence[ExamplePart], limit: int) -> list[ExamplePart]:
    """All, or: a third where a system loses most against the first, a third where one gains most, the rest spread evenly.

    With a single system, a third with the lowest scores, the rest spread evenly. In the order of the test set.
    """
    if len(examples) <= limit:
        return list(examples)
    extremes = [_extremes(example) for example in examples]
    places = range(len(examples))
    lowest = sorted(places, key=lambda i: (extremes[i][0], i))[: limit // 3]
    chosen = set(lowest)
    if len(examples[0].outputs) > 1:
        rest = (i for i in sorted(places, key=lambda i: (-extremes[i][1], i)) if i not in chosen)
        chosen |= {i for i, _ in zip(rest, range(limit // 3), strict=False)}
    others = [i for i in places if i not in chosen]
    needed = limit - len(chosen)
    chosen |= {others[i * len(others) // needed] for i in range(needed)}
    return [examples[i] for i in sorted(chosen)]


def gains(example: ExamplePart) -> dict[str, float]:
    """How much better each other system is than the first."""
    (_, first), *others = example.outputs.items()
    return {name: output.score - first.score for name, output in others}


def _extremes(example: ExamplePart) -> tuple[float, float]:
    """The smallest and the largest gain; with one system its score."""
    values = list(gains(example).values()) or [output.score for output in example.outputs.values()]
    return min(values), max(values)


def _chosen(systems: Sequence[str], shown: int, total: int) -> str:
    if shown == total:
        return f"All {total:,} sentences."
    if len(systems) > 1:
        which = f"a third where {systems[0]} is best, a third where it is beaten most clearly"
    else:
        which = "a third with the lowest scores"
    return f"{shown:,} of {total:,} sentences: {which}, the rest spread evenly over the test set."


def _orders(systems: Sequence[str]) -> list[tuple[str, str]]:
    orders = [("line:1", "place in the test set")]
    for number, system in enumerate(systems[1:], start=1):
        orders += [(f"gain{number}:-1", f"gain of {system}"), (f"gain{number}:1", f"loss of {system}")]
    for number, system in enumerate(systems):
        orders += [
            (f"score{number}:-1", f"score of {system}, best first"),
            (f"score{number}:1", f"score of {system}, worst first"),
        ]
    return [*orders, ("length:1", "length, shortest first"), ("length:-1", "length, longest first")]


def _card(
    example: ExamplePart,
    systems: Sequence[str],
    languages: tuple[str | None, str | None],
    derivations: Derivations,
) -> CardView:
    source_language, target_language = languages
    rows = [RowView("source", _plain(example.source), source_language)]
    for number, reference in enumerate(example.references, start=1):
        name = "reference" if len(example.references) == 1 else f"reference {number}"
        rows.append(RowView(name, _plain(reference), target_language))
    gained = gains(example)
    against = example.references[0] if len(systems) == 1 else example.outputs[systems[0]].text
    for name, output in example.outputs.items():
        marked = name in gained or len(systems) == 1
        words = spaced_diff(against, output.text) if marked else _plain(output.text)
        button = None
        if output.derivation is not None:
            button = derivations.button(output.derivation, f"{name}, line {example.line}")
        rows.append(RowView(name, words, target_language, _figures(output, gained.get(name)), button))
    return CardView(example.line, _sort_keys(example, systems, gained), rows)


def _plain(text: str) -> Words:
    return [("same", text)]


def _figures(output: SystemOutput, gain: float | None) -> str:
    return f"{output.score:.1f}" + ("" if gain is None else f" ({gain:+.1f})")


def _sort_keys(
    example: ExamplePart, systems: Sequence[str], gained: Mapping[str, float]
) -> list[tuple[str, str]]:
    keys = {"line": float(example.line), "length": float(len(example.source.split()))}
    keys |= {f"score{systems.index(name)}": output.score for name, output in example.outputs.items()}
    keys |= {f"gain{systems.index(name)}": gain for name, gain in gained.items()}
    return [(key, f"{value:.4f}".rstrip("0").rstrip(".")) for key, value in keys.items()]
