"""The four algorithms of Simianer, Riezler and Dyer (2012), section 4: the same shards, merged in different ways.

| | each epoch | result |
|---|---|---|
| 1 SGD | one shard learns on | average over epochs |
| 2 MixSGD | shards learn alone for all epochs | average over shards of their averages over epochs |
| 3 IterMixSGD | shards start from v; v becomes their average | v |
| 4 IterSelSGD | the same, and only the K columns of largest norm stay in v | v |
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from demotic._core import FeatureColumns, Selection, activate_features
from demotic.features import PackedWeights
from demotic.learn.learner import Tuned
from demotic.learn.online.epoch import EpochPart
from demotic.learn.online.online_fitting import Merge, Merged, OnlineFitting
from demotic.learn.options import Mixing, SelectionOptions, ShardOptions
from demotic.learn.quality import best_epoch
from demotic.learn.workers.message import Message
from demotic.learn.workers.state import State

EVERYTHING = Selection()  # all columns with a weight


def iterate(
    fitting: OnlineFitting, merge: Merge, average: bool = False, active: PackedWeights | None = None
) -> Tuned:
    """Algorithms 1, 3 and 4: shards learn from v in parallel, then v is what `merge` makes of their weights.

    Args:
        fitting: shards and checkpoints.
        merge: `mixed_by`, or a selection.
        average: the result is the mean of v after each epoch, as in algorithm 1, instead of the last v.
        active: features that shards may learn in every epoch, in v or not; None: whatever they meet.
    """
    state, averages = fitting.initial, FeatureColumns()
    vectors: list[PackedWeights] = []
    results: list[PackedWeights] = []
    history = []
    for t in fitting.epoch_parts():
        start = state
        if active is not None:
            start = replace(state, weights=PackedWeights(activate_features(state.weights, active)))
        state, (row,) = fitting.learn(t.name, start, [t], merge)
        v = state.weights
        if average:
            averages.add(v)
        vectors.append(v)
        results.append(PackedWeights(averages.select(EVERYTHING)) if average else v)
        history.append(fitting.report(t.name, row, results[-1], fitting.objective))
    best = best_epoch(history)
    return Tuned(results[best], history[best]["epoch"], history, vectors)


def mix_sgd(fitting: OnlineFitting, merge: Merge, epochs: int) -> Tuned:
    """Algorithm 2: shards do not meet before the end, so all epochs are one stage and give one vector."""
    name = f"mix{epochs:03}"
    state, rows = fitting.learn(name, fitting.initial, [EpochPart(t) for t in range(epochs)], merge)
    weights = state.weights
    return Tuned(
        weights, epochs, [*rows[:-1], fitting.report(name, rows[-1], weights, fitting.objective)], [weights]
    )


def mixed_by(options: ShardOptions) -> Merge:
    """The average over shards, as `mixing` says: the last line of algorithms 2 and 3."""
    return selected(Selection(over_changed=options.mixing == "changed"), options.mixing == "sentences")


def selected(best: Selection, by_sentences: bool = False) -> Merge:
    """The average of the best columns alone: "select top K feature columns of W by l2 norm" (algorithm 4), then mix.

    What rules remember is averaged in the same way and not selected: it says how much is known of a feature, also of one without
    a weight.

    Args:
        best: which columns, and whether the average is over the shards that changed a weight.
        by_sentences: shards count as many times as they have sentences.
    """
    everything = Selection(over_changed=best.over_changed)

    def merge(initial: State, answers: Iterable[Message]) -> Merged:
        weights, memory = FeatureColumns(), FeatureColumns()
        if best.over_changed:
            weights.begin(initial.weights)
        if best.over_changed and initial.memory:
            memory.begin(initial.memory)
        for answer in answers:
            state, share = State.of(answer), _sentences(answer) if by_sentences else 1
            weights.add(state.weights, share)
            if state.memory:
                memory.add(state.memory, share)
        mixed = PackedWeights(memory.select(everything)) if memory.shards else PackedWeights()
        return Merged(State(PackedWeights(weights.select(best)), mixed), weights.features)

    return merge


def _sentences(answer: Message) -> int:
    """That a shard has learnt from, in one epoch or in several."""
    return sum(seen["sentences"] for seen in answer.figures["statistics"])


def selected_by(options: SelectionOptions, mixing: Mixing) -> Merge:
    """The selection that options ask for: by weights, or by gradient."""
    if options.select_by == "gradient":
        return _selected_by_gradient(options, mixing == "sentences")
    return selected(
        Selection(
            options.norm,
            options.selected_features,
            options.select_threshold,
            keep_dense=options.keep_dense,
            over_changed=mixing == "changed",
            share=options.selected_share,
        ),
        mixing == "sentences",
    )


def _selected_by_gradient(options: SelectionOptions, by_sentences: bool) -> Merge:
    """Columns enter by their gradient and leave by the group lasso: Obozinski, Taskar and Jordan (2010), algorithm 1.

    At the optimum of  loss(W) + penalty ||W||_{1,2}  a column is zero as long as the l2 norm of its gradient across tasks is at most
    the penalty. So inactive features keep the weight 0 while shards add up their gradients; columns whose gradient is longer
    than the penalty enter, the `k` longest per epoch. Active columns take the proximal step of the penalty, which scales a
    column by (1 - penalty / ||w||_2)+ and removes those that become 0; they may enter again. Dense features are active in every
    epoch: they need not enter, and with `keep_dense` they are not shrunk either. Two deviations: the path has one penalty
    instead of a falling sequence, and the gradient is that of the epoch, along which the weights moved.
    """
    shrunk = Selection("l2", 0, 0.0, options.penalty, options.keep_dense)
    entering = Selection(
        "l2", options.selected_features, options.penalty, zeros=True, share=options.selected_share
    )

    def merge(_: State, answers: Iterable[Message]) -> Merged:
        columns, gradients = FeatureColumns(), FeatureColumns()
        for answer in answers:
            columns.add(answer.weights["weights"], _sentences(answer) if by_sentences else 1)
            gradients.add(answer.weights["gradient"])
        active = activate_features(columns.select(shrunk), gradients.select(entering))
        return Merged(State(PackedWeights(active)), columns.features + gradients.features)

    return merge
