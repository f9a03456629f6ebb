"""A model that learns from corrections: the next translation already uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import asdict, replace
from typing import Any

from demotic.adapt.correction import CorrectionOptions, changed_weights
from demotic.adapt.rebuild import merged_index
from demotic.align.pharaoh import format_links
from demotic.base.checks import at_least
from demotic.base.errors import DemoticError, warn
from demotic.base.files import Pathish
from demotic.corpus.text import split_words
from demotic.decode import TranslationModel
from demotic.decode.additions import ADDITIONS, AddedPair, Additions, append_record, read_additions, writing
from demotic.decode.model_folder import INDEX
from demotic.grammar import GrammarIndex

MAX_WORDS = 254  # of a side: longer pairs give no rules
MAX_CHARACTERS = 1_000  # of a word: longer ones are no words, and each correction would index them again
_MIN_UNKNOWN = 4  # so many words, none of them known, are text of another language
_MOSTLY_UNKNOWN = 0.75  # more than this share of them: perhaps of another language
_MERGE_PAIRS = 2_500  # more additions are merged into the index file: each correction indexes all of them, 20 ms per 1,000

Pair = tuple[str, str]


class LearningModel(TranslationModel):
    """A model that takes corrections, each of them on disk before `learn` returns.

    Processes that only translate see the model before or after a correction, when they open it. One process writes at a time. One
    object is for one thread at a time.

    Args:
        folder: of a model that has an alignment model.
        options: how it learns.
    """

    def __init__(self, folder: Pathish, options: CorrectionOptions | None = None) -> None:
        super().__init__(folder)
        self.correction = options or CorrectionOptions()

    def learn(self, source: str, translation: str) -> bool:
        """Learn that this is the translation of a sentence; False if the model had this pair already.

        Once in some thousand corrections this takes longer, since they are merged into the index.

        Args:
            source: raw text.
            translation: raw text, as a person wrote or corrected it.

        Raises:
            DemoticError: for a pair that is empty, too long, or in other languages than the model, and while another process
                writes.
        """
        pair = self.prepared(source, translation)
        if doubt := self.doubt(pair):
            warn(f"{doubt}; is it in another language?")
        learnt = self.learn_pair(pair)
        if self.is_grown:
            self.merge()
        return learnt

    def prepared(self, source: str, translation: str, tokenized: bool = False) -> Pair:
        """The words of a pair, checked; see `learn`."""
        texts = (source, translation)
        sides = (
            [split_words(text) for text in texts]
            if tokenized
            else [self.preprocessor.words(source, "source"), self.preprocessor.words(translation, "target")]
        )
        for name, words in zip(("source", "target"), sides, strict=True):
            if not words:
                raise DemoticError(f"the {name} side is empty", hint="remove this pair")
            if len(words) > MAX_WORDS:
                raise DemoticError(
                    f"the {name} side has {len(words):,} words; the limit is {MAX_WORDS}", hint="split it"
                )
            longest = max(map(len, words))
            if longest > MAX_CHARACTERS:
                raise DemoticError(
                    f"the {name} side has a word of {longest:,} characters; the limit is {MAX_CHARACTERS:,}"
                )
            unknown = self.aligner.unknown(words, is_source=name == "source")
            if len(words) >= _MIN_UNKNOWN and unknown == len(words):
                raise DemoticError(
                    f"the model knows no word of the {name} side",
                    hint="is it in another language, or are the two sides exchanged?",
                )
        return " ".join(sides[0]), " ".join(sides[1])

    def doubt(self, pair: Pair) -> str:
        """Why a pair that was checked may be wrong all the same; nothing: it looks right.

        Words of other languages share names, numbers and short words with any text, so this is no reason to refuse it.
        """
        for name, words in zip(("source", "target"), map(split_words, pair), strict=True):
            known = len(words) - self.aligner.unknown(words, is_source=name == "source")
            if len(words) >= _MIN_UNKNOWN and known < (1 - _MOSTLY_UNKNOWN) * len(words):
                return f"the model knows only {known} of {len(words)} words of the {name} side"
        return ""

    def learn_pair(self, pair: Pair) -> bool:
        """The same for the words of a pair that was checked."""
        with self._writing():
            if self._has(pair):
                return False
            source, target = pair
            weights = changed_weights(self.decoder, source, target, self.correction, self._tuned_by())
            links = format_links(self.aligner.align(source, target, self._heuristic()).links)
            added = AddedPair(source, target, links, weights)
            self._append({"do": "learn", **asdict(added)})
            for name, value in weights.items():
                self.weights.set(name, value)
            self._use(replace(self.additions, pairs=(*self.additions.pairs, added)))
        return True

    def undo(self, last: int = 1) -> int:
        """Take the last corrections back: rules, counts and weights are then those from before; returns how many are left.

        Raises:
            DemoticError: if there are fewer that can be taken back.
        """
        at_least(1, last=last)
        with self._writing():
            possible = len(self.additions.new)
            if last > possible:
                hint = (
                    "older ones are part of the index: use `demotic forget`"
                    if self.additions.in_index
                    else ""
                )
                what = f"only {possible:,} of {last:,} corrections" if possible else "no correction"
                raise DemoticError(f"{what} can be undone", hint=hint)
            self._append({"do": "undo", "last": last})
            self._use(replace(self.additions, pairs=self.additions.pairs[:-last]))
            del self.__dict__["weights"]
            self.__dict__.pop("decoder", None)
        return possible - last

    @property
    def is_grown(self) -> bool:
        """Whether so many pairs were added that it is time to `merge` them."""
        return len(self.additions.new) > _MERGE_PAIRS

    def merge(self) -> None:
        """Build the index file anew with the added pairs in it, so that corrections stay fast.

        Rules and counts stay the same, but for sampling, which no longer sees added pairs apart. They also lose the feature
        `Addition`, and can no longer be undone.
        """
        with self._writing():
            pass  # sees what others have written
        with self.merging() as publish:
            publish()

    @contextmanager
    def merging(self) -> Iterator[Callable[[], bool]]:
        """The same in two steps: building the index takes its time, during which the model can learn and translate in another thread.

        Yields:
            What puts the new index in place; False if pairs that it has were taken back meanwhile, so that nothing is merged. Pairs that
            were added meanwhile stay additions. It changes the model: nobody may translate while it runs.
        """
        index, before = self.index, self.additions
        with merged_index(index, self.folder / INDEX) as merged:

            def publish() -> bool:
                with self._writing():
                    count = len(before.pairs)
                    now = self.additions
                    held = [(pair.source, pair.target) for pair in before.pairs]
                    if now.index != before.index or [(p.source, p.target) for p in now.pairs[:count]] != held:
                        return False
                    self._append({"do": "merge", "index": merged.name, "pairs": count})
                    merged.publish()
                self.refresh()
                return True

            yield publish

    def refresh(self) -> None:
        """See what another process has learnt."""
        found = read_additions(self.folder / ADDITIONS, self.folder / INDEX)
        if found.index != self.additions.index:  # merged, into another file
            self.__dict__.pop("index", None)
            self.__dict__["additions"] = found
        self._use(found)
        for name in ("weights", "decoder"):
            self.__dict__.pop(name, None)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The right to write, with everything that was written before."""
        with writing(self.folder):
            log = self.part(ADDITIONS)
            if (log.stat().st_size if log else 0) != self.additions.end:
                self.refresh()
            _ = self.weights  # those of the log as it is now
            yield

    def _append(self, record: dict[str, Any]) -> None:
        end = append_record(self.folder / ADDITIONS, self.folder / INDEX, self.additions.end, record)
        self.__dict__["additions"] = replace(self.additions, end=end)

    def _use(self, additions: Additions) -> None:
        """Translate with these pairs from now on."""
        self.__dict__["additions"] = additions
        if "index" not in self.__dict__:
            return
        self.__dict__["index"] = self.index.with_additions(
            (p.source, p.target, p.links) for p in additions.new
        )
        if "decoder" in self.__dict__:
            decoder = copy(self.decoder)
            decoder.__dict__.pop("_vocabularies", None)
            decoder.rules, decoder.weights = self.index, self.weights
            self.__dict__["decoder"] = decoder

    def _has(self, pair: Pair) -> bool:
        index: GrammarIndex = self.index
        source, target = (split_words(side) for side in pair)
        return any(index.target(number) == target for number in index.pairs_with(source))

    def _tuned_by(self) -> str:
        """The learner of the weights; nothing: they were set by hand."""
        return str(self.values.get("tuned", {}).get("learner", ""))

    def _heuristic(self) -> Any:
        return self.values.get("align", {}).get("symmetrize", "grow-diag-final-and")
