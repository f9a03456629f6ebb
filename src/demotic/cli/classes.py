"""`demotic classes`: word classes of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from demotic.cli.common import Json, Threads, emit, table

app = typer.Typer(help="Make and inspect word classes.", no_args_is_help=True)

_EXAMPLES = 12  # words of a class in the table

Model = Annotated[Path, typer.Argument(help="Folder of the model.")]


@app.command("make")
def make(
    model: Model,
    sizes: Annotated[str, typer.Argument(help="Numbers of classes, separated by commas, e.g. 50,200.")],
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Put the words of both sides of a model's training text into classes, and save them in the model."""
    from demotic.base.errors import DemoticError
    from demotic.corpus.word_classes import parse_sizes
    from demotic.decode.model_folder import ModelFolder
    from demotic.pipeline.classes import make_classes

    folder = ModelFolder(model)
    wanted = parse_sizes(sizes)
    folder.check()
    if used := sorted(set(wanted) & set(folder.options.class_lm.classes)):
        raise DemoticError(
            f"the {used[0]} word classes cannot be replaced: the model has a language model over them",
            model,
            hint="choose another number, or train the model again",
        )
    found = make_classes(folder.index, wanted, folder, threads)
    rows = [
        (side, size, len(classes), classes.words, f"{perplexity:.1f}")
        for (side, size), (classes, perplexity) in found.items()
    ]
    columns = ["side", "size", "classes", "words", "perplexity"]
    plain = {"model": str(model), "classes": [dict(zip(columns, row, strict=True)) for row in rows]}
    emit(plain, [table(f"{model}: word classes", columns, rows)], json)


@app.command("show")
def show(
    model: Model,
    size: Annotated[int, typer.Argument(help="Number of classes of the set to show, e.g. 50.")],
    side: Annotated[Literal["src", "tgt"], typer.Option("--side", help="Side of the corpus.")] = "tgt",
    number: Annotated[
        int,
        typer.Option("--class", min=0, help="Show only this class, with all its words; 0 shows all classes."),
    ] = 0,
    json: Json = False,
) -> None:
    """Print the words of classes, the most frequent first."""
    from demotic.base.errors import DemoticError
    from demotic.decode.model_folder import SIDES, ModelFolder

    classes = ModelFolder(model).read_classes(size)[SIDES.index(side)]
    if number > len(classes):
        raise DemoticError(f"class must be at most {len(classes)} (got {number})", model)
    numbers = [number] if number else range(1, len(classes) + 1)
    members = {each: classes.members(each) for each in numbers}
    most = None if number else _EXAMPLES
    rows = [
        (str(each), len(words), " ".join(words[:most]) + (" ..." if len(words) > len(words[:most]) else ""))
        for each, words in members.items()
    ]
    plain = {"model": str(model), "side": side, "size": size, "classes": members}
    title = f"{model}: {len(classes)} classes of {classes.words:,} words ({side})"
    emit(plain, [table(title, ["class", "words", "most frequent"], rows)], json)
