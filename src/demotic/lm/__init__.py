"""Language models: estimation and query.

Words of a text are separated by white space (that of ASCII). One line is one sentence; `<s>` and `</s>` are put around it.
What the three special words mean inside a text:

- `<s>` and `</s>` mark the borders of sentences. In text to train on they are an error; in text to score they are unknown
  words, whatever the model.
- `<unk>` is any word that the model does not know. In text to train on it may stand for such words, and is then counted
  like any other word; in text to score it is an unknown word.

Lines without words are left out when a model is trained; when text is scored they are empty sentences.
"""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
    from demotic.lm.class_options import ClassLmOptions
    from demotic.lm.estimate import LmOptions, LmSummary, train
    from demotic.lm.folds import train_folds
    from demotic.lm.model import LanguageModel, TextScores, WordScore
else:
    __getattr__ = lazy_exports(__name__)

__all__ = [
    "ClassLmOptions",
    "LanguageModel",
    "LmOptions",
    "LmSummary",
    "TextScores",
    "WordScore",
    "train",
    "train_folds",
]
