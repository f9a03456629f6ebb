"""The page of `demotic serve`: a form, and translations with their derivations."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.base.errors import DemoticError
from demotic.report.derivations import Derivations, TreeButton
from demotic.report.document import render_document
from demotic.serve.translator import Translator


@dataclass(frozen=True)
class _Line:
    """A line of the text and its translation."""

    source: str
    translation: str
    score: float
    button: TreeButton


def render_page(translator: Translator, text: str = "") -> str:
    """The form, filled with `text`, and below it the translations of its lines, or why there are none."""
    model = translator.model
    languages = model.preprocessor.options
    derivations = Derivations()
    lines, error = [line for line in text.splitlines() if line.strip()], ""
    try:
        translator.check(lines)
    except DemoticError as problem:
        lines, error = [], str(problem)
    return render_document(
        "translate.html",
        f"Translate {languages.source_language} to {languages.target_language}",
        derivations,
        package="demotic.serve",
        forms=True,
        model=model.folder.resolve().name,
        features=len(model.weights),
        source_language=languages.source_language,
        target_language=languages.target_language,
        text=text,
        error=error,
        lines=[_line(translator, line, f"line {i}", derivations) for i, line in enumerate(lines, start=1)],
    )


def _line(translator: Translator, line: str, name: str, derivations: Derivations) -> _Line:
    best, root = translator.explain(line)
    return _Line(line, best.text, best.score, derivations.button(root, name))
