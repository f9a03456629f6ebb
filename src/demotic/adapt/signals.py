"""What can be seen of a translation without a reference."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
import numpy.typing as npt

from demotic.decode import KBest, TranslationModel
from demotic.decode.options import DECODER_FEATURES
from demotic.evaluate import References, sentence_metric
from demotic.grammar import FEATURE_SETS

LIST = 100  # translations that the posterior is taken over
SIGNALS = (
    "posterior",
    "margin",
    "agreement",
    "rule_length",
    "lm_per_word",
    "unknown",
    "log_length",
    "length_ratio",
)
"""Of every model; `signal_names` has all."""
_SCALE = 3.0  # factor of the scores in the probabilities of the agreement, for weights of length 1
Array = npt.NDArray[np.float64]


def signal_names(dense: str) -> tuple[str, ...]:
    """The signals of models with a dense feature set: `SIGNALS`, then the features of rules, glue and copied words.

    Args:
        dense: name of the set.
    """
    language_model, *further = DECODER_FEATURES[dense]
    known = {language_model, "WordPenalty", ""}  # which `lm_per_word` and `length_ratio` say
    return (*SIGNALS, *(name for name in (*FEATURE_SETS[dense], *further) if name not in known))


class SignalReader:
    """Reads one number for each of `signal_names`.

    - `posterior`: log of the share of the best translation in its list; `margin`: its distance from the second.
    - `agreement`: expected chrF of the translations of the list with the best one as their reference.
    - `rule_length`: source words per rule; `lm_per_word`; `unknown`: share of the source words; `log_length` of the source;
      `length_ratio`: log of target to source.
    - The features of the best derivation, per source word: how likely its rules are and how often they were seen.

    Args:
        model: that translates.
        known: the source words that count as known; None: all of the index.
    """

    def __init__(self, model: TranslationModel, known: Container[str] | None = None) -> None:
        self._known = model.index.native.source_vocab if known is None else known
        self._lm_feature = DECODER_FEATURES[model.decoder.dense][0]
        self._features = signal_names(model.decoder.dense)[len(SIGNALS) :]
        self._weight_length = float(np.linalg.norm(model.decoder.weights.values)) or 1.0
        self._metric = sentence_metric("chrf")

    def read(self, words: Sequence[str], kbest: KBest) -> Array:
        """The signals of the first translation of a list.

        Args:
            words: of the source sentence.
            kbest: `LIST` different translations, or as many as there are.
        """
        scores = np.asarray(kbest.scores, dtype=np.float64)[:LIST] - kbest.scores[0]
        length, target = max(1, len(words)), len(kbest.sentence(0))
        ids, values = kbest.row(0)
        row = {int(id_): float(value) for id_, value in zip(ids, values, strict=True)}

        def value(name: str) -> float:
            found = kbest.index.find(name)
            return row.get(found, 0.0) if found is not None else 0.0

        return np.array(
            [
                -np.log(np.exp(scores).sum()),
                -scores[1] if len(scores) > 1 else 0.0,
                self._agreement(kbest, scores),
                length / max(1, len(kbest.derivation(0))),
                value(self._lm_feature) / (target + 1),
                sum(word not in self._known for word in words) / length,
                np.log(length),
                np.log((target + 1) / (length + 1)),
                *(value(name) / length for name in self._features),
            ]
        )

    def _agreement(self, kbest: KBest, scores: Array) -> float:
        shares = np.exp(_SCALE * scores / self._weight_length)
        alike = self._metric.scores(References([kbest.sentence(0)]), kbest)
        return float(shares @ np.asarray(alike, dtype=np.float64)[: len(shares)] / shares.sum())
