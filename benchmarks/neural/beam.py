"""Beam search that keeps the keys of earlier words, many sentences at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.neural.model import Keys, Transformer
from benchmarks.neural.text import BEGIN, END, PAD, UNKNOWN, fill


@dataclass
class Found:
    """The best complete translation of a sentence so far, by mean log-probability of its pieces."""

    score: float = float("-inf")
    pieces: list[int] = field(default_factory=list)
    complete: int = 0


@torch.inference_mode()
def translate(model: Transformer, source: Sequence[list[int]], beam: int, rows: int = 320) -> list[list[int]]:
    """Pieces of the best translation of each sentence, without the end; `rows` hypotheses are extended at once."""
    model.eval()
    order = sorted(range(len(source)), key=lambda i: len(source[i]))
    results: list[list[int]] = [[] for _ in source]
    step = max(1, rows // beam)
    for begin in range(0, len(order), step):
        chosen = order[begin : begin + step]
        for i, found in zip(chosen, _search(model, fill([source[i] for i in chosen]), beam), strict=True):
            results[i] = found.pieces
    return results


def _search(model: Transformer, source: Tensor, beam: int) -> list[Found]:
    encoded, mask = model.encode(source)
    sources = [_repeat(keys, beam) for keys in model.source_keys(encoded)]
    mask = None if mask is None else mask.repeat_interleave(beam, 0)
    found = [Found() for _ in source]
    active = list(range(len(found)))  # sentences with hypotheses to extend
    words = torch.full((len(found) * beam, 1), BEGIN)
    totals = torch.full((len(found), beam), float("-inf"))
    totals[:, 0] = 0.0  # all hypotheses are equal: one is enough
    pasts: list[Keys] | None = None
    for length in range(1, min(2 * source.shape[1] + 10, model.options.longest) + 1):
        states, pasts = model.decode(words[:, -1:], pasts, sources, mask)
        logs = functional.log_softmax(model.scores(states[:, -1]), -1)
        logs[:, [PAD, UNKNOWN, BEGIN]] = float("-inf")
        size = logs.shape[1]
        sums = (totals[:, :, None] + logs.view(len(active), beam, size)).flatten(1)
        best, places = sums.topk(2 * beam, 1)  # enough to extend, even if half of them end
        ends = places % size == END
        _keep_complete(found, active, best, places // size, ends, words.view(len(active), beam, -1), length)
        go_on = [row for row, i in enumerate(active) if found[i].complete < beam]
        if not go_on:
            break
        # Hypotheses that go on, in order of their score.
        chosen = torch.argsort(ends.to(torch.int8), dim=1, stable=True)[go_on, :beam]
        kept = torch.tensor(go_on)[:, None]
        totals, places = best[kept, chosen], places[kept, chosen]
        origin = (kept * beam + places // size).flatten()
        words = torch.cat((words[origin], (places % size).view(-1, 1)), 1)
        pasts = [(key[origin], value[origin]) for key, value in pasts]
        if len(go_on) < len(active):
            sentences = (kept * beam + torch.arange(beam)).flatten()
            sources = [(key[sentences], value[sentences]) for key, value in sources]
            mask = None if mask is None else mask[sentences]
            active = [active[row] for row in go_on]
    for row, i in enumerate(active):  # nothing ended within the longest length
        if not found[i].complete:
            found[i].pieces = words.view(len(active), beam, -1)[row, 0, 1:].tolist()
    return found


def _keep_complete(
    found: list[Found],
    active: list[int],
    best: Tensor,
    origins: Tensor,
    ends: Tensor,
    words: Tensor,
    length: int,
) -> None:
    """Note hypotheses that end here and are among the best of their sentence."""
    beam = best.shape[1] // 2
    for row, place in ends[:, :beam].nonzero().tolist():
        sentence, score = found[active[row]], float(best[row, place]) / length
        sentence.complete += 1
        if score > sentence.score:
            sentence.score, sentence.pieces = score, words[row, origins[row, place], 1:].tolist()


def _repeat(keys: Keys, times: int) -> Keys:
    return keys[0].repeat_interleave(times, 0), keys[1].repeat_interleave(times, 0)
