"""`demotic why` and `demotic contrast`: what a translation rests on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.cli.common import Json, emit, table
from demotic.cli.constraining import PROTECTED, GlossaryFile, Protect, constrainer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from demotic.adapt.contrasting import Contrast
    from demotic.adapt.evidence import Evidence, Example, RuleEvidence, Span

_FEATURES = 6  # shown of a comparison
_CONTEXT = 6  # words shown on either side of a rule in its training pair

ModelFolder = Annotated[Path, typer.Argument(help="Model folder.")]
Sentence = Annotated[str, typer.Argument(help="Raw text of one sentence.", metavar="TEXT")]


def why(
    model: ModelFolder,
    text: Sentence,
    examples: Annotated[
        int, typer.Option("--examples", min=0, help="Maximum number of training pairs shown per rule.")
    ] = 3,
    runners_up: Annotated[
        int, typer.Option("--runners-up", min=0, help="Maximum number of other translations shown.")
    ] = 3,
    glossary: GlossaryFile = None,
    protect: Protect = PROTECTED,
    json: Json = False,
) -> None:
    """Show the training pairs behind a translation, and why the next best translations lost."""
    from demotic.adapt.evidence import evidence_of
    from demotic.decode import TranslationModel

    constraints = constrainer(glossary, protect)(1, text)
    found = evidence_of(TranslationModel(model), text, constraints, examples, runners_up)
    emit({} if not json else found.to_json(), _evidence(found), json)


def contrast(
    first: Annotated[Path, typer.Argument(help="Model folder.", metavar="MODEL_A")],
    second: Annotated[Path, typer.Argument(help="Another model folder.", metavar="MODEL_B")],
    text: Sentence,
    kbest: Annotated[
        int,
        typer.Option(
            "--kbest", min=1, help="Length of the lists searched for the other model's translation."
        ),
    ] = 1000,
    glossary: GlossaryFile = None,
    protect: Protect = PROTECTED,
    json: Json = False,
) -> None:
    """Show which features made two models translate a sentence differently."""
    from demotic.adapt.contrasting import contrast as contrast_models
    from demotic.decode import TranslationModel

    constraints = constrainer(glossary, protect)(1, text)
    models = TranslationModel(first), TranslationModel(second)
    found = contrast_models(*models, text, constraints, kbest)
    emit(found.to_json(), _contrast(found, str(first), str(second)), json)


def _evidence(found: Evidence) -> list[RenderableType]:
    from rich.markup import escape

    shown: list[RenderableType] = [f"[bold]{escape(found.text)}[/bold]   {found.score:.4f}", ""]
    for rule in found.rules:
        shown.append(_rule_line(rule))
        shown += [f"    {_example(each)}" for each in rule.examples]
    for other in found.runners_up:
        rows: list[tuple[object, ...]] = [
            (each.name, each.chosen, each.other, f"{each.weight:.4f}", f"{each.advantage:+.4f}")
            for each in other.differences[:_FEATURES]
        ]
        if rest := other.differences[_FEATURES:]:
            rows.append((f"{len(rest)} others", "", "", "", f"{sum(each.advantage for each in rest):+.4f}"))
        shown.append(f"\n{escape(other.text)}   {other.score:.4f}, behind by {found.score - other.score:.4f}")
        shown.append(table("", ["feature", "best", "this", "weight", "difference"], rows))
    return shown


def _rule_line(rule: RuleEvidence) -> str:
    from rich.markup import escape

    sides = [
        escape(" ".join(symbol if isinstance(symbol, str) else f"X{symbol}" for symbol in side))
        for side in (rule.source, rule.target)
    ]
    times = {
        "translation": f"in {rule.count:,} {'place' if rule.count == 1 else 'places'}",
        "pass-through": "copied",
        "forced": "prescribed",
    }
    return f"{sides[0]} [dim]→[/dim] [green]{sides[1]}[/green]   {rule.score:+.4f}   [dim]{times[rule.kind]}[/dim]"


def _example(example: Example) -> str:
    source = _marked(example.source, example.source_span, [gap for gap, _ in example.gaps])
    target = _marked(example.target, example.target_span, [gap for _, gap in example.gaps])
    return f"[dim]{example.line}:[/dim] {source} [dim]│[/dim] {target}"


def _marked(words: tuple[str, ...], span: Span, gaps: list[Span]) -> str:
    """The words around a rule: its own underlined, what fills its gaps in braces."""
    from rich.markup import escape

    begin, end = max(0, span[0] - _CONTEXT), min(len(words), span[1] + _CONTEXT)
    parts = ["…"] if begin > 0 else []
    for i in range(begin, end):
        word = escape(words[i])
        if any(gap[0] <= i < gap[1] for gap in gaps):
            before = "{" if any(gap[0] == i for gap in gaps) else ""
            behind = "}" if any(gap[1] == i + 1 for gap in gaps) else ""
            parts.append(f"{before}{word}{behind}")
        else:
            parts.append(f"[bold underline]{word}[/bold underline]" if span[0] <= i < span[1] else word)
    return " ".join([*parts, "…"] if end < len(words) else parts)


def _contrast(found: Contrast, first: str, second: str) -> list[RenderableType]:
    from rich.markup import escape

    shown: list[RenderableType] = [
        f"{escape(name)}: [bold]{escape(view.translation)}[/bold]   {view.score:.4f}"
        for name, view in ((first, found.first), (second, found.second))
    ]
    if found.agree:
        return [*shown, "Both models give the same translation."]
    for name, view in ((first, found.first), (second, found.second)):
        if view.rank_of_other is None:
            shown.append(
                f"{escape(name)} does not have the other translation in its list: its rules or its search differ."
            )
        else:
            behind = view.score - (view.score_of_other or 0.0)
            shown.append(
                f"{escape(name)} has the other translation at rank {view.rank_of_other:,}, behind by {behind:.4f}."
            )
    if found.features:
        shown.append(
            f"\nHow much each feature favours the translation of {escape(first)}, as a share of the total:"
        )
        rows = [
            (each.name, *(f"{100 * part:+.1f}%" for part in (each.first, each.second, each.change)))
            for each in found.features[: 2 * _FEATURES]
        ]
        shown.append(table("", ["feature", "in the first", "in the second", "change"], rows))
    return shown
