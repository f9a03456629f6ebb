"""Which language a text is in: naive Bayes over stretches of one to four letters.

It knows the languages of the models, from their own training text, and a dozen others from a few sentences each, so that it can say
that a text is in none of the languages served. It is meant to choose among these, not to identify any language of the world.
"""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.resources import files
from itertools import chain, islice

from demotic.serve.models import Models

_ORDER = 4
_TRAINING_SENTENCES = 500  # of each side of a model
_TRAINING_CHARACTERS = 20_000  # of a language
_READ = 600  # characters of a text that are looked at
_INDEPENDENT = 0.15  # of its stretches, which overlap, count as independent evidence
_WORD = re.compile(r"[^\W\d_]+")


class Detector:
    """Knows languages by their text.

    Args:
        texts: by language; a few hundred characters are little, some ten thousand enough.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {code: Counter(_stretches(text)) for code, text in texts.items()}
        shares = Counter[str]()  # in all languages, which weigh the same however much text there is
        for each in counts.values():
            total = sum(each.values())
            shares.update({stretch: n / total / len(counts) for stretch, n in each.items()})
        self._shares = dict(shares)
        self._logs: dict[str, dict[str, float]] = {}
        self._backing: dict[str, float] = {}  # log weight of the shares: more where there is little text
        for code, each in counts.items():
            total, types = sum(each.values()), len(each)  # Witten and Bell: as likely new as it has been
            self._logs[code] = {
                stretch: math.log((n + types * shares[stretch]) / (total + types))
                for stretch, n in each.items()
            }
            self._backing[code] = math.log(types / (total + types))

    @classmethod
    def of_models(cls, models: Models) -> Detector:
        """Trained on the text of models, and on samples of other languages."""
        texts = {**samples()}
        for translator in models.by_name.values():
            index = translator.model.index
            numbers = range(min(_TRAINING_SENTENCES, len(index)))
            for code, side in ((translator.source, index.source), (translator.target, index.target)):
                words = chain.from_iterable(map(side, numbers))
                texts[code] = texts.get(code, "") + " " + html.unescape(" ".join(words))
        return cls({code: text[:_TRAINING_CHARACTERS] for code, text in texts.items()})

    def detect(self, text: str, among: Iterable[str] = ()) -> list[tuple[str, float]]:
        """Languages and their probabilities, the most probable first; none for a text without letters of a known language.

        Args:
            text: of which the beginning is read.
            among: only these; default: all that are known.
        """
        stretches = [each for each in islice(_stretches(text), _ORDER * _READ) if each in self._shares]
        codes = sorted(set(among) & set(self._logs) or self._logs)
        if not stretches:
            return []
        scores = {code: _INDEPENDENT * sum(self._log(code, each) for each in stretches) for code in codes}
        best = max(scores.values())
        total = sum(math.exp(score - best) for score in scores.values())
        found = [(code, math.exp(score - best) / total) for code, score in scores.items()]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def _log(self, code: str, stretch: str) -> float:
        known = self._logs[code].get(stretch)
        return known if known is not None else self._backing[code] + math.log(self._shares[stretch])


def _stretches(text: str) -> Iterable[str]:
    """One to four letters within words, with a space where a word begins and ends."""
    for match in _WORD.finditer(text[:_TRAINING_CHARACTERS].lower()):
        word = f" {match[0]} "
        for length in range(1, _ORDER + 1):
            for begin in range(len(word) - length + 1):
                yield word[begin : begin + length]


def samples() -> dict[str, str]:
    """A few sentences of each of some languages."""
    lines = (files("demotic.serve") / "samples.tsv").read_text("utf-8").splitlines()
    return {code: text for code, _, text in (line.partition("\t") for line in lines)}
