"""Lines in, lines out: what `demotic translate` does with plain text, however long and however bad."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

from demotic.base.errors import DemoticError, os_error, warn
from demotic.base.files import atomic_write, is_device, publish, read_lines, temporary_beside
from demotic.base.progress import Progress

if TYPE_CHECKING:
    from demotic.decode import TranslatedLine, TranslationModel


def translate_text(
    model: TranslationModel,
    source: Path,
    output: Path | None,
    kbest: int,
    as_json: bool,
    strict: bool,
    threads: int,
) -> None:
    """Translate a file line by line, and write each line as soon as it is finished.

    A line that cannot be translated is copied, with a warning; if there was one, the exit status is 1.

    Raises:
        DemoticError: at such a line, if `strict`.
    """
    from demotic.decode import translate_lines

    number = copied = 0
    with Progress("translate", unit="lines") as bar, _writing(output) as file:
        for number, found in enumerate(translate_lines(model, read_lines(source), kbest, threads), start=1):
            if found.error is not None:
                message = f"line {number} cannot be translated: {_reason(found.error)}"
                if strict:
                    raise DemoticError(message, hint="without --strict it is copied") from found.error
                warn(f"{message}; it is copied")
                copied += 1
            file.writelines(line + "\n" for line in _lines(found, number - 1, kbest, as_json))
            file.flush()
            bar.advance()
    if copied:
        print(
            f"demotic: {copied:,} of {number:,} lines could not be translated and were copied",
            file=sys.stderr,
        )
        raise typer.Exit(1)


@contextmanager
def _writing(path: Path | None) -> Iterator[IO[str]]:
    """Standard output, or a file that has its name when it is complete; what an error leaves of it is PATH.partial."""
    if path is None:
        yield sys.stdout
        return
    if is_device(path):
        with atomic_write(path) as device:
            yield device
        return
    try:
        with (
            temporary_beside(path) as temporary,
            open(temporary, "w", encoding="utf-8", newline="\n") as file,
        ):
            try:
                yield file
            except BaseException:
                partial = path.with_name(path.name + ".partial")
                if temporary.stat().st_size:
                    publish(temporary, partial)
                    print(f"demotic: the lines finished so far are in {partial}", file=sys.stderr)
                raise
            file.flush()
            publish(temporary, path)
    except OSError as error:
        raise os_error(error, path) from error


def _lines(found: TranslatedLine, number: int, kbest: int, as_json: bool) -> list[str]:
    if as_json:
        hypotheses = [
            {"text": text, "score": score} for text, score in zip(found.texts, found.scores, strict=True)
        ]
        error = {} if found.error is None else {"error": _reason(found.error)}
        return [json.dumps({"id": number, "translations": hypotheses, **error}, ensure_ascii=False)]
    if kbest == 1:
        return found.texts[:1]
    return [
        f"{number} ||| {text} ||| {score:.6g}" for text, score in zip(found.texts, found.scores, strict=True)
    ]


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, DemoticError) else f"{type(error).__name__}: {error}"
