"""Truecasing and recasing with one table: the most frequent form of each word inside sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, read_lines
from demotic.corpus.verbatim import is_stand_in

_SENTENCE_END = {".", "!", "?", ":", "..."}
_OPENING = {"(", "&#91;", "&quot;", "&apos;", "„", "“", "»", "«", "-"}


class CaseCounter:
    """Counts how words are written where the position does not force a capital."""

    def __init__(self) -> None:
        self._forms: Counter[str] = Counter()

    def add(self, words: Sequence[str]) -> None:
        """Count the words of one tokenised sentence, except those that begin a sentence."""
        initial = True
        inside = []
        for word in words:
            if not initial:
                inside.append(word)
            initial = word in _SENTENCE_END or (initial and word in _OPENING)
        self._forms.update(inside)

    def model(self) -> CasingModel:
        """The most frequent form of each word; ties go to the form that sorts last, which is the lower-cased one."""
        best: dict[str, tuple[int, str]] = {}
        for form, count in self._forms.items():
            lower = form.lower()
            if (count, form) > best.get(lower, (0, "")):
                best[lower] = (count, form)
        return CasingModel(form for _, form in best.values())


class CasingModel:
    """Word in lower case -> the form that it usually has.

    Args:
        forms: one form per word.
    """

    def __init__(self, forms: Iterable[str]) -> None:
        self._best = {form.lower(): form for form in forms}

    def truecase(self, words: Sequence[str]) -> list[str]:
        """Give words at the beginning of a sentence their usual form; leave the others as they are."""
        result, initial = [], True
        for word in words:
            result.append(self._best.get(word.lower(), word) if initial else word)
            initial = word in _SENTENCE_END or (initial and (word in _OPENING or is_stand_in(word)))
        return result

    def recase(self, words: Sequence[str]) -> list[str]:
        """Give every (lower-cased) word its usual form."""
        return [self._best.get(word.lower(), word) for word in words]

    def knows(self, word: str) -> bool:
        """Whether it has a usual form."""
        return word.lower() in self._best

    def save(self, path: Pathish) -> None:
        """One form a line, sorted."""
        with atomic_write(path) as file:
            file.writelines(f"{form}\n" for form in sorted(self._best.values()))

    @classmethod
    def load(cls, path: Pathish) -> CasingModel:
        """Read what `save` wrote."""
        forms = list(read_lines(path))
        for number, form in enumerate(forms, start=1):
            if not form or " " in form:
                raise DemoticError(
                    "expected one word per line", path, number, "is this a casing table of demotic?"
                )
        return cls(forms)


def capitalize_sentence(words: Sequence[str]) -> list[str]:
    """Capitalise the first word that has a letter."""
    result = list(words)
    for i, word in enumerate(result):
        if word[:1].isalpha():
            result[i] = word[0].upper() + word[1:]
            break
        if word not in _OPENING:
            break
    return result
