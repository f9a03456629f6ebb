"""Training pairs as a test set: how well a model does on what it was made from (Flanigan, Dyer and Carbonell 2013, table 1).

The table tunes MERT on three sets and looks at each on three. As configurations of `demotic tune`: Dev1000 is the dev set; In1000 is
`--on-train` with `leave_out=none`, so that grammar and language model know the sentences; Out1000 has `leave_out=fold` and
`lm_folds`, so that neither does. Train1000, where they are tested, is here.
"""

from __future__ import annotations

from demotic.base.errors import DemoticError
from demotic.decode import TranslationModel
from demotic.learn import Example, training_examples


def seen_pairs(model: TranslationModel, count: int, others: int, seed: int) -> list[Example]:
    """Random training pairs, to be decoded with the grammar and the language model that know them.

    Args:
        model: whose index has them.
        count: how many.
        others: none of the pairs that `training_examples(model, others, seed)` draws: those were learnt from.
        seed: of the draw.
    """
    size = len(model.index)
    if others + count > size:
        raise DemoticError(
            f"cannot draw {others + count:,} training pairs: the index has {size:,}",
            model.folder,
            hint="lower --scale, or use a larger corpus",
        )
    drawn = {example.number for example in training_examples(model, others, seed)} if others else set()
    everything = training_examples(model, others + count, seed)
    return [Example(pair.source, pair.references) for pair in everything if pair.number not in drawn]
