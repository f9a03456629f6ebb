"""Lines in, lines out: what `demotic translate` does with plain text, however long and however bad."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import typer

from demotic.base.errors import DemoticError, os_error, warn
from demotic.base.files import atomic_write, is_device, publish, temporary_beside
from demotic.base.progress import Progress

if TYPE_CHECKING:
    from demotic.decode import KBest, TranslatedLine


Probability = Callable[[str, "KBest"], float]


@dataclass(frozen=True)
class Printing:
    """What is printed of each line.

    Attributes:
        kbest: translations of a line.
        as_json: an object for each line.
        strict: stop at a line that cannot be translated.
        probability: that a translation is good enough; None: it is not asked for.
    """

    kbest: int
    as_json: bool
    strict: bool
    probability: Probability | None = None

    def confidence(self, found: TranslatedLine) -> float | None:
        """0 for a line that was copied or translated in pieces: somebody should look at it."""
        if self.probability is None:
            return None
        return 0.0 if found.found is None else self.probability(found.source, found.found)

    def lines(self, found: TranslatedLine, number: int) -> list[str]:
        """Of one line of text, whose number counts from 0."""
        sure = self.confidence(found)
        scored = list(zip(found.texts, found.scores, strict=True))[: self.kbest]
        if self.as_json:
            hypotheses = [{"text": text, "score": score} for text, score in scored]
            result: dict[str, Any] = {"id": number, "translations": hypotheses}
            if sure is not None:
                result["confidence"] = sure
            if found.error is not None:
                result["error"] = _reason(found.error)
            return [json.dumps(result, ensure_ascii=False)]
        before = "" if sure is None else f"{sure:.3f}\t"
        if self.kbest == 1:
            return [before + scored[0][0]]
        return [f"{before}{number} ||| {text} ||| {score:.6g}" for text, score in scored]


def write_translations(
    translations: Iterable[TranslatedLine], output: Path | None, printing: Printing
) -> None:
    """Write each line as soon as it is translated.

    A line that cannot be translated is copied, with a warning; if there was one, the exit status is 1.

    Raises:
        DemoticError: at such a line, if printing is strict.
    """
    number = copied = 0
    with Progress("translate", unit="lines") as bar, _writing(output) as file:
        for number, found in enumerate(translations, start=1):
            if found.error is not None:
                message = f"line {number} cannot be translated: {_reason(found.error)}"
                if printing.strict:
                    raise DemoticError(message, hint="without --strict it is copied") from found.error
                warn(f"{message}; it is copied")
                copied += 1
            file.writelines(line + "\n" for line in printing.lines(found, number - 1))
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


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, DemoticError) else f"{type(error).__name__}: {error}"
