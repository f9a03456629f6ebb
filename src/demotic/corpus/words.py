"""Version 2 of the tokeniser: Moses' rules, one stretch of text between spaces at a time, each worked out once.

Nothing is lost but white space and invisible characters (soft hyphen, zero-width space, word joiner, byte-order mark, marks of
direction); quotes and dashes take the forms that Moses' normaliser gives them (`NORMAL_FORMS`). Where the result differs from sacremoses:

- Combining marks and joiners stay with their letter, emoji sequences (joiners, skin tones, flags) stay whole.
- URLs, e-mail addresses and numbers with `:`, `/` or `'` between digits stay whole.
- A comma or a full stop stays on its side of a quotation mark, and a no-break space between digits is a space.
- An apostrophe or comma that begins or ends a line is treated as elsewhere (`dogs '`), each of two apostrophes in a word alike.
- Apostrophes that are letters (Ukrainian, Turkish and others), gershayim in Hebrew and marks in Armenian stay inside their word, and
  Irish and Catalan have words that end in an apostrophe, as in Moses.
- Letters of scripts that are younger than sacremoses' tables are letters.
- Chinese, Japanese, Thai, Lao, Khmer and Burmese text is cut into characters with their marks.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from demotic.corpus.escapes import escape
from demotic.corpus.joining import ELIDING, join_words
from demotic.corpus.moses import INVISIBLE as INVISIBLE_TO_MOSES
from demotic.corpus.moses import WIDE

# Marks of direction would be words of their own in Arabic and Hebrew text.
INVISIBLE = re.compile(f"{INVISIBLE_TO_MOSES.pattern}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

# What Moses' normaliser makes of punctuation: straight quotes, hyphens, three dots.
NORMAL_FORMS = str.maketrans(
    {**dict.fromkeys("„“”«»", '"'), **dict.fromkeys("`´‘‚’", "'"), "–": "-", "—": " - ", "…": "..."}
)
# Languages that are written without spaces between words: every character is a word.
_UNSPACED = {
    "zh": WIDE,
    "ja": WIDE,
    "th": r"[\u0e00-\u0e4f]",
    "lo": r"[\u0e80-\u0ecf\u0edc-\u0edf]",
    "km": r"[\u1780-\u17d3\u17d7\u17dc\u17dd]",
    "my": r"[\u1000-\u103f\u104c-\u109f\uaa60-\uaa7f]",
}
UNSPACED = frozenset(_UNSPACED)
_WHOLE = re.compile(
    r"(?:(?:https?|ftp|file)://|\bwww\.)[^\s<>\"|]*[^\s<>\"|.,;:!?'()\[\]{}]"  # a URL without the punctuation behind it
    r"|[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)*\.\w{2,}"  # an e-mail address
    r"|(?<![\w.,:/'-])\d+(?:[.,:/'-]\d+)*[:/']\d+(?:[.,:/'-]\d+)*(?![\w:/'])",  # a time, a date, a fraction
    re.IGNORECASE,
)
# Tokens of a shape (`_shape`): symbols with what belongs to them, dots, commas outside numbers.
_CUT = re.compile(r"RR|[Rs][mk]*(?:j[sa][mk]*)*|\.{2,}|(?<!n),|,(?!n)")
_ENGLISH = frozenset({"en"})
# Marks that belong to a word in some languages: `об'єкт`, `İstanbul'da`, Hebrew abbreviations, Armenian questions.
_INNER = {
    **dict.fromkeys(
        ("az", "be", "br", "ha", "mt", "so", "sw", "tr", "uk", "uz"), r"(?<=[^\W\d_])'(?=[^\W\d_])"
    ),
    **dict.fromkeys(("he", "yi"), r"(?<=[\u05d0-\u05ea])[\"'\u05f3\u05f4](?=[\u05d0-\u05ea])"),
    "hy": r"(?<=[\u0531-\u0587])[\u055b\u055c\u055e]",
}
_KEPT = 1 << 17  # stretches that are remembered, about 40 MB


class _Stretch(NamedTuple):
    """What becomes of the text between two spaces."""

    words: list[str]  # escaped; a full stop that may belong to the last word is split off
    first: str  # first character
    stop: str  # when the last full stop is not split off: "", before "lower" case, or also before a "number"


class WordTokenizer:
    """Moses' rules with a memory of what has been tokenised.

    Args:
        language: ISO 639-1 code; one that is unknown gets the rules and the abbreviations that Moses gives it.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        unspaced = _UNSPACED.get(language)
        self._unspaced = re.compile(unspaced) if unspaced else None
        inner = _INNER.get(language)
        self._inner = re.compile(inner) if inner else None
        self._abbreviations: dict[str, str] | None = None
        self._known: dict[str, _Stretch] = {}

    def tokenize(self, text: str) -> list[str]:
        """The words of a line, escaped."""
        words: list[str] = []
        stop = ""  # of the stretch before
        for stretch in text.split():
            found = self._known.get(stretch) or self._remember(stretch)
            if stop and _belongs(stop, found.first):
                words[-2:] = [words[-2] + "."]
            words += found.words
            stop = found.stop if found.first else stop
        return words

    def detokenize(self, words: list[str]) -> str:
        """Undo escapes and join."""
        return join_words(words, self._language, self._unspaced)

    def _remember(self, stretch: str) -> _Stretch:
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[stretch] = found = self._simple(stretch) or self._look_at(stretch)
        return found

    def _simple(self, stretch: str) -> _Stretch | None:
        """The result for most of what is not known: letters, and one mark that is always split off."""
        if self._unspaced is None and unicodedata.is_normalized("NFC", stretch):
            if stretch.isalpha():
                return _Stretch([stretch], stretch[0], "")
            if stretch[-1] in ",;:?!)" and stretch[:-1].isalpha():
                return _Stretch([stretch[:-1], stretch[-1]], stretch[0], "")
        return None

    def _look_at(self, stretch: str) -> _Stretch:
        """Tokenise text without spaces in it."""
        text = INVISIBLE.sub("", unicodedata.normalize("NFC", stretch))
        if self._unspaced is None:
            text = text.translate(NORMAL_FORMS).replace("''", '"')
        tokens: list[tuple[str, str]] = []
        for part in text.split():  # a long dash brings spaces
            tokens += self._split(part)
        words: list[str] = []
        stop = ""
        for (token, shape), (following, _) in zip(tokens, [*tokens[1:], ("", "")], strict=False):
            last = not following
            rule = self._full_stop(token, shape)
            keep = _belongs(rule, following[:1])
            words += [escape(token)] if not rule or keep else [escape(token[:-1]), "."]
            stop = rule if last and not keep else ""
        return _Stretch(words, text.lstrip()[:1], stop)

    def _split(self, text: str) -> list[tuple[str, str]]:
        """Tokens with their shapes."""
        shape = self._shape(text)
        cuts = {0, len(text)}
        for found in _CUT.finditer(shape):
            cuts |= {found.start(), found.end()}
        if "'" in text:
            cuts |= self._apostrophes(text, shape)
        for found in self._inner.finditer(text) if self._inner else ():
            cuts.discard(found.start())
            if text[found.end() : found.end() + 1].isalpha():
                cuts.discard(found.end())
        for found in _WHOLE.finditer(text):
            cuts -= set(range(found.start() + 1, found.end()))
            cuts |= {found.start(), found.end()}
        places = sorted(cuts)
        return [(text[a:b], shape[a:b]) for a, b in pairwise(places)]

    def _shape(self, text: str) -> str:
        """A letter per character: [a]lphabetic, [n]umber, [m]ark, [j]oiner, s[k]in tone, [R]egional indicator, [s]ymbol."""
        shape = "".join([_class_of(character) for character in text])
        if self._unspaced is not None:
            for found in self._unspaced.finditer(text):
                if shape[found.start()] != "m":
                    shape = f"{shape[: found.start()]}s{shape[found.end() :]}"
        return shape

    def _apostrophes(self, text: str, shape: str) -> set[int]:
        """Where words are cut at apostrophes: `it 's` in English, `l' eau` in French, on both sides elsewhere."""
        cuts = set()
        padded = f" {shape.replace('m', 'a').replace('j', 'a')} "
        for i, character in enumerate(text):
            if character != "'":
                continue
            left, right = padded[i], padded[i + 2]
            if self._language in _ENGLISH and left == right == "a":
                cuts.add(i)
            elif self._language in _ENGLISH and left == "n" and right == "a":
                cuts |= {i} if text[i + 1] == "s" else set()
            elif self._language in ELIDING and left == right == "a":
                cuts.add(i + 1)
            else:
                cuts |= {i, i + 1}
        return cuts

    def _full_stop(self, token: str, shape: str) -> str:
        """When the full stop at the end of a token belongs to it: "always", before "lower" case, also before a "number"."""
        if not token.endswith(".") or token.strip(".") == "":
            return ""
        prefix = token[:-1]
        if "." in prefix and "a" in shape:
            return "always"
        if self._abbreviations is None:
            self._abbreviations = _abbreviations(self._language)
        return self._abbreviations.get(prefix, "lower")


def _belongs(rule: str, following: str) -> bool:
    """Whether a full stop belongs to its word, given the character that follows."""
    return rule == "always" or (
        bool(rule) and (following.islower() or (rule == "number" and "0" <= following <= "9"))
    )


def _class_of(character: str) -> str:
    if character in ".,'-":
        return character
    category = unicodedata.category(character)
    if category[0] == "L" or category == "Nl":
        return "a"
    if category == "Nd":
        return "n"
    if category[0] == "M":
        return "m"
    if character in "\u200c\u200d":
        return "j"
    if "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f":
        return "k"
    return "R" if "\U0001f1e6" <= character <= "\U0001f1ff" else "s"


def _abbreviations(language: str) -> dict[str, str]:
    """Moses' abbreviations: word -> when its full stop stays, "always" or before a "number"."""
    from sacremoses.corpus import NonbreakingPrefixes  # slow to import

    rules: dict[str, str] = {}
    for line in NonbreakingPrefixes().words(language):
        word, _, mark = line.strip().partition(" ")
        if rules.get(word) != "number":
            rules[word] = "number" if "#NUMERIC_ONLY#" in mark else "always"
    return rules
