"""`demotic learn`: corrections, one after the other."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.base.errors import DemoticError, warn
from demotic.base.files import read_lines
from demotic.base.progress import Progress
from demotic.cli.common import Json, emit, table

if TYPE_CHECKING:
    from demotic.adapt import LearningModel


def learn(
    model: Annotated[Path, typer.Argument(help="Model folder; the command changes it.")],
    src: Annotated[Path, typer.Option("--src", help="Source sentences, one per line.")],
    tgt: Annotated[
        Path, typer.Option("--tgt", help="Their translations, as people wrote or corrected them.")
    ],
    weights: Annotated[
        bool | None,
        typer.Option(
            "--weights/--no-weights",
            help="Change the weights, or only add the sentence pairs. Default: change them unless the model was tuned by a batch learner such as MERT.",
            show_default=False,
        ),
    ] = None,
    max_step: Annotated[
        float | None,
        typer.Option("--max-step", min=0, help="Maximum step of the weights for one correction (C of MIRA)."),
    ] = None,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="The text is already prepared like the training text.")
    ] = False,
    json: Json = False,
) -> None:
    """Learn from corrected translations. Repeating the command adds nothing twice."""
    from demotic.adapt import CorrectionOptions, LearningModel

    changes: dict[str, Any] = {
        "weights": weights,
        **({} if max_step is None else {"max_step": max_step}),
    }
    loaded = LearningModel(model, CorrectionOptions(**changes))
    pairs = _pairs(loaded, src, tgt, tokenized)
    _ = loaded.decoder  # loading is not part of the time of a correction
    started = time.perf_counter()
    with Progress("learn", total=len(pairs), unit="corrections") as bar:
        learnt = 0
        for pair in pairs:
            learnt += loaded.learn_pair(pair)
            bar.advance()
    seconds = time.perf_counter() - started
    if loaded.is_grown:
        loaded.merge()
    result = {
        "learnt": learnt,
        "known": len(pairs) - learnt,
        "additions": len(loaded.additions.pairs),
        "ms_per_correction": round(1000 * seconds / len(pairs), 1),
    }
    emit(
        result,
        [table(f"{model}", [name.replace("_", " ") for name in result], [list(result.values())])],
        json,
    )


def _pairs(model: LearningModel, src: Path, tgt: Path, tokenized: bool) -> list[tuple[str, str]]:
    """All pairs, checked before the first is learnt."""
    sources, targets = list(read_lines(src)), list(read_lines(tgt))
    if len(sources) != len(targets):
        raise DemoticError(
            f"{len(targets):,} lines, but {src} has {len(sources):,}",
            tgt,
            hint="line N of the target must translate line N of the source",
        )
    if not sources:
        raise DemoticError("the file is empty", src)
    pairs = []
    for number, (source, target) in enumerate(zip(sources, targets, strict=True), start=1):
        try:
            pairs.append(model.prepared(source, target, tokenized))
        except DemoticError as error:
            if error.file is not None:  # of the model, not of this line
                raise
            file = tgt if "target" in error.message else src
            raise DemoticError(error.message, file, number, error.hint) from None
    _warn_of_doubts(model, pairs, src)
    return pairs


def _warn_of_doubts(model: LearningModel, pairs: list[tuple[str, str]], src: Path) -> None:
    """One warning for all lines that may be in another language; they are learnt all the same."""
    doubts = [(number, doubt) for number, pair in enumerate(pairs, start=1) if (doubt := model.doubt(pair))]
    if doubts:
        number, doubt = doubts[0]
        others = f" (and {len(doubts) - 1:,} more lines like it)" if len(doubts) > 1 else ""
        warn(f"{src}:{number}: {doubt}{others}; is it in another language? `demotic undo` takes it back")
