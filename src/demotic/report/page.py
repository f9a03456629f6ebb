"""The page: sections in their order, contents, key figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import demotic
from demotic.report.derivations import Derivations
from demotic.report.document import document
from demotic.report.examples import render_examples
from demotic.report.features import render_features
from demotic.report.figure_book import FigureBook
from demotic.report.learning import active_features, minutes, render_learning
from demotic.report.markup import Markup, element, join, slug
from demotic.report.parts import Cell, Report, Section, Table
from demotic.report.results import render_results
from demotic.report.tables import render_table


@dataclass(frozen=True)
class _Block:
    """A section of the page, which the contents list."""

    title: str
    content: Markup

    @property
    def anchor(self) -> str:
        return "section-" + slug(self.title)


def render_page(report: Report, book: FigureBook) -> str:
    """The whole page; its figures are added to the book."""
    derivations = Derivations()
    blocks = [block for block in _blocks(report, book, derivations) if block.content]
    body = [
        element("a", "Skip to the content", href="#content", class_="skip"),
        element("header", element("h1", report.title), _lead(report), _key_figures(report)),
        _contents(blocks),
        element("main", map(_section, blocks), id="content"),
        element(
            "footer",
            element("p", f"Made by Demotic {demotic.__version__}. This file needs nothing but itself."),
        ),
    ]
    return document(report.title, body, derivations)


def _blocks(report: Report, book: FigureBook, derivations: Derivations) -> Iterator[_Block]:
    for section in report.sections:
        yield _Block(section.title, _own_section(section, book))
    for test_set in report.test_sets:
        yield _Block(f"Results on {test_set.name}", render_results(test_set, book))
    yield _Block("Learning", join([_systems_table(report), render_learning(report.systems, book)]))
    learnt = [render_features(system, book) for system in report.systems]
    yield _Block("What was learnt", join(learnt))
    for test_set in report.test_sets:
        if test_set.examples:
            yield _Block(f"Examples from {test_set.name}", render_examples(test_set, report, derivations))
    yield _Block("Corpus", join(map(render_table, report.corpus)))
    yield _Block("Configuration", join(map(render_table, configuration_tables(report.configuration))))


def configuration_tables(configuration: Mapping[str, Any], prefix: str = "") -> list[Table]:
    """A table for each table of the configuration, as in TOML."""
    plain = {key: value for key, value in configuration.items() if not isinstance(value, Mapping)}
    rows: list[list[Cell]] = [[key, _value(value)] for key, value in plain.items()]
    tables = [Table(prefix or "General", ["option", "value"], rows, collapsed=True)] if rows else []
    for key, value in configuration.items():
        if isinstance(value, Mapping):
            tables += configuration_tables(value, f"{prefix}.{key}" if prefix else str(key))
    return tables


def _value(value: Any) -> str:
    """As TOML writes it, more or less."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value)) or "none"
    return "" if value is None else str(value)


def _lead(report: Report) -> Markup:
    paragraphs = [element("p", text, class_="lead") for text in report.lead]
    warnings = [
        element("p", element("strong", "Careful: "), text, class_="warning") for text in report.warnings
    ]
    return join(paragraphs + warnings)


def _key_figures(report: Report) -> Markup:
    """The best system of the first comparison, and how large everything is."""
    facts: list[tuple[str, str]] = []
    comparison = next((each.comparison for each in report.test_sets if each.comparison), None)
    if comparison is not None:
        sign = 1 if comparison.higher_is_better else -1
        best = max(comparison.systems, key=lambda system: sign * system.mean)
        facts.append((f"{comparison.title} of {best.name}", f"{best.mean:.1f}"))
        if best is not comparison.systems[0]:
            first = comparison.systems[0]
            facts.append((f"against {first.name}", f"{best.mean - first.mean:+.1f}"))
        facts.append(("test sentences", f"{comparison.sentences:,}"))
    sizes = [size for system in report.systems if (size := active_features(system)) is not None]
    if sizes:
        facts.append(("features" if len(sizes) == 1 else "features in the largest system", f"{max(sizes):,}"))
    times = [time for system in report.systems if (time := minutes(system)) is not None]
    if times:
        facts.append(("minutes of learning", f"{sum(times):.1f}"))
    tiles = (element("div", element("dt", name), element("dd", value)) for name, value in facts)
    return element("dl", tiles, class_="tiles") if facts else Markup("")


def _systems_table(report: Report) -> Markup:
    rows: list[list[Cell]] = []
    for system in report.systems:
        time = minutes(system)
        row: list[Cell] = [system.name, system.learner, len(system.history) or None, system.epoch]
        rows.append([*row, active_features(system), None if time is None else f"{time:.1f}"])
    if not rows:
        return Markup("")
    header = ["system", "learner", "epochs", "kept", "features", "minutes"]
    return render_table(
        Table(
            "Systems", header, rows, "Features: those that weigh something. Minutes: decoding and learning."
        )
    )


def _own_section(section: Section, book: FigureBook) -> Markup:
    paragraphs = [element("p", text) for text in section.paragraphs]
    figures = [book.show(figure) for figure in section.figures]
    shown = element("div", figures, class_="figures") if figures else Markup("")
    return join([*paragraphs, *map(render_table, section.tables), shown])


def _contents(blocks: list[_Block]) -> Markup:
    items = (element("li", element("a", block.title, href=f"#{block.anchor}")) for block in blocks)
    summary = element("summary", "Contents")
    return element("nav", element("details", summary, element("ul", items), open=True), aria_label="Contents")


def _section(block: _Block) -> Markup:
    heading = element("h2", block.title, id=block.anchor)
    return Markup(element("section", heading, block.content, aria_labelledby=block.anchor) + "\n")
