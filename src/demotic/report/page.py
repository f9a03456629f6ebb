"""The page: sections in their order, contents, key figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from demotic.report.derivations import Derivations
from demotic.report.document import render_document
from demotic.report.examples import examples_view
from demotic.report.features import features_view
from demotic.report.figure_book import FigureBook
from demotic.report.learning import active_features, learning_view, minutes
from demotic.report.parts import Cell, Report, Section, Table
from demotic.report.results import results_view
from demotic.report.tables import TableView, table_view
from demotic.report.templating import slug


@dataclass(frozen=True)
class _Block:
    """A section of the page, which the contents list.

    Attributes:
        title: its heading.
        template: of what stands below the heading.
        view: what the template shows; the block is left out if that is nothing.
    """

    title: str
    template: str
    view: Any

    @property
    def anchor(self) -> str:
        return "section-" + slug(self.title)


def render_page(report: Report, book: FigureBook) -> str:
    """The whole page; its figures are added to the book."""
    derivations = Derivations()
    blocks = [block for block in _blocks(report, book, derivations) if block.view]
    return render_document(
        "page.html",
        report.title,
        derivations,
        lead=report.lead,
        warnings=report.warnings,
        key_figures=_key_figures(report),
        blocks=blocks,
    )


def _blocks(report: Report, book: FigureBook, derivations: Derivations) -> Iterator[_Block]:
    for section in report.sections:
        yield _Block(section.title, "own.html", _own_view(section, book))
    for test_set in report.test_sets:
        yield _Block(f"Results on {test_set.name}", "results.html", results_view(test_set, book))
    yield _Block("Learning", "learning.html", learning_view(report.systems, book))
    yield _Block("What was learnt", "features.html", features_view(report.systems, book))
    for test_set in report.test_sets:
        examples = examples_view(test_set, report, derivations)
        yield _Block(f"Examples from {test_set.name}", "examples.html", examples)
    yield _Block("Corpus", "tables.html", _table_views(report.corpus))
    configuration = configuration_tables(report.configuration)
    yield _Block("Configuration", "tables.html", _table_views(configuration))


def _table_views(tables: Iterable[Table]) -> list[TableView]:
    return [table_view(table) for table in tables]


def _own_view(section: Section, book: FigureBook) -> dict[str, Any] | None:
    if not (section.paragraphs or section.tables or section.figures):
        return None
    figures = [book.show(figure) for figure in section.figures]
    return {"paragraphs": section.paragraphs, "tables": _table_views(section.tables), "figures": figures}


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


def _key_figures(report: Report) -> list[tuple[str, str]]:
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
    return facts
