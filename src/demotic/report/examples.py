"""Example translations: which are shown, and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demotic.report.derivations import Derivations
from demotic.report.markup import Markup, element, join, slug
from demotic.report.parts import ExamplePart, Report, SystemOutput, TestSet
from demotic.report.word_diff import render_diff


def render_examples(test_set: TestSet, report: Report, derivations: Derivations) -> Markup:
    """Cards of chosen sentences with a bar of controls, which the page's script brings to life."""
    shown = choose_examples(test_set.examples, report.examples_shown)
    systems = list(dict.fromkeys(name for example in shown for name in example.outputs))
    cards = (_card(example, systems, test_set.name, report.languages, derivations) for example in shown)
    return element(
        "div",
        element("p", _explanation(systems, len(shown), len(test_set.examples))),
        _controls(systems, slug(test_set.name)),
        element("div", cards, class_="cards"),
        element(
            "p", element("button", "Show more", type="button", class_="more"), class_="screen", hidden=True
        ),
        class_="examples",
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


def _explanation(systems: Sequence[str], shown: int, total: int) -> Iterable[Markup | str]:
    several = len(systems) > 1
    if shown == total:
        yield f"All {total:,} sentences. "
    elif several:
        yield f"{shown:,} of {total:,} sentences: a third where {systems[0]} is best, a third where it is beaten most clearly, "
        yield "the rest spread evenly over the test set. "
    else:
        yield f"{shown:,} of {total:,} sentences: a third with the lowest scores, the rest spread evenly over the test set. "
    against = f"the translation by {systems[0]}" if several else "the reference"
    yield f"Compared with {against}, words that are "
    yield element("ins", "new")
    yield " are underlined and words that are "
    yield element("del", "gone")
    yield " are struck through. Figures are BLEU of the sentence alone: good for finding examples, not for judging systems."


def _controls(systems: Sequence[str], name: str) -> Markup:
    orders = [("line:1", "place in the test set")]
    for number, system in enumerate(systems[1:], start=1):
        orders += [(f"gain{number}:-1", f"gain of {system}"), (f"gain{number}:1", f"loss of {system}")]
    for number, system in enumerate(systems):
        orders += [
            (f"score{number}:-1", f"score of {system}, best first"),
            (f"score{number}:1", f"score of {system}, worst first"),
        ]
    orders += [("length:1", "length, shortest first"), ("length:-1", "length, longest first")]
    options = [element("option", label, value=value) for value, label in orders]
    return element(
        "form",
        element("label", "Sort by ", element("select", options, name="order", id=f"order-{name}")),
        element("label", "Find ", element("input", type="search", name="find", id=f"find-{name}")),
        element("output", aria_live="polite"),
        class_="controls screen",
        hidden=True,
    )


def _card(
    example: ExamplePart,
    systems: Sequence[str],
    test_set: str,
    languages: tuple[str | None, str | None],
    derivations: Derivations,
) -> Markup:
    source_language, target_language = languages
    rows = [_row("source", None, example.source, source_language)]
    for number, reference in enumerate(example.references, start=1):
        name = "reference" if len(example.references) == 1 else f"reference {number}"
        rows.append(_row(name, None, reference, target_language))
    gained = gains(example)
    against = example.references[0] if len(systems) == 1 else example.outputs[systems[0]].text
    for name, output in example.outputs.items():
        marked = render_diff(against, output.text) if name in gained or len(systems) == 1 else output.text
        rows.append(_row(name, output, marked, target_language, gained.get(name)))
        if output.derivation is not None:
            rows.append(
                join([rows.pop(), derivations.button(output.derivation, f"{name}, line {example.line}")])
            )
    keys = {"line": float(example.line), "length": float(len(example.source.split()))}
    keys |= {f"score{systems.index(name)}": output.score for name, output in example.outputs.items()}
    keys |= {f"gain{systems.index(name)}": gain for name, gain in gained.items()}
    return element(
        "article",
        element("h3", f"Line {example.line:,}"),
        (element("div", row, class_="row") for row in rows),
        id=f"{slug(test_set)}-{example.line}",
        **{f"data-{key}": f"{value:.4f}".rstrip("0").rstrip(".") for key, value in keys.items()},
    )


def _row(
    name: str,
    output: SystemOutput | None,
    words: str | Markup,
    language: str | None,
    gain: float | None = None,
) -> Markup:
    figures = None
    if output is not None:
        change = "" if gain is None else f" ({gain:+.1f})"
        figures = element("span", f" {output.score:.1f}{change}", class_="score")
    return join([element("h4", name, figures), element("p", words, lang=language, dir="auto")])
