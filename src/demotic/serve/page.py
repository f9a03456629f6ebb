"""The page of `demotic serve`: a form, and translations with their derivations."""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.report.derivations import Derivations
from demotic.report.document import document
from demotic.report.markup import Markup, element, join
from demotic.serve.translator import Translator


def render_page(translator: Translator, text: str = "") -> str:
    """The form, filled with `text`, and below it the translations of its lines, or why there are none."""
    model = translator.model
    languages = model.preprocessor.options
    title = f"Translate {languages.source_language} to {languages.target_language}"
    derivations = Derivations()
    about = f"One sentence a line. The model is {model.folder.resolve().name}, with {len(model.weights):,} features."
    body = [
        element("header", element("h1", title), element("p", about, class_="lead")),
        element(
            "main",
            _form(text, languages.source_language),
            _results(translator, text, derivations),
            id="content",
        ),
    ]
    return document(title, body, derivations, forms=True)


def _form(text: str, language: str) -> Markup:
    area = element("textarea", text, id="text", name="text", rows=5, lang=language, dir="auto", required=True)
    return element(
        "form",
        element("label", "Text to translate", for_="text"),
        area,
        element("button", "Translate", type="submit"),
        method="post",
        class_="translate",
    )


def _results(translator: Translator, text: str, derivations: Derivations) -> Markup:
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        translator.check(lines)
    except DemoticError as error:
        return element("p", str(error), class_="warning", role="alert")
    return join(_article(translator, number, line, derivations) for number, line in enumerate(lines, start=1))


def _article(translator: Translator, number: int, line: str, derivations: Derivations) -> Markup:
    options = translator.model.preprocessor.options
    best, root = translator.explain(line)
    heading = element("h4", "translation", element("span", f" score {best.score:.2f}", class_="score"))
    translation = element("p", best.text, lang=options.target_language, dir="auto", class_="output")
    button = derivations.button(root, f"line {number}")
    return element(
        "article",
        element("h3", f"Line {number}"),
        element("div", element("h4", "source"), element("p", line, dir="auto"), class_="row"),
        element("div", heading, translation, button, class_="row"),
    )
