"""Training: Adam with warm-up, label smoothing, early stopping by BLEU of the averaged model on dev."""

from __future__ import annotations

import json
import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import sacrebleu
import torch
from torch import Tensor

from benchmarks.neural.beam import translate
from benchmarks.neural.layers import SmoothedLoss
from benchmarks.neural.model import Transformer
from benchmarks.neural.text import PAD, Batch, Subwords, batches

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class TrainOptions:
    """Defaults from Wu et al. (2021) except for batches: theirs had 4,096 pieces on each of two GPUs."""

    minutes: float = 60.0  # training ends after the evaluation that is due then
    batch: int = 2048  # pieces on each side, filling included
    rate: float = 0.005  # highest learning rate
    warmup: int = 2000  # updates until then; it falls with the root of the number of updates
    smoothing: float = 0.1
    clip: float = 1.0  # longest gradient
    every: int = 0  # updates between evaluations; 0: an epoch, but at least 100
    average: int = 10  # evaluated and kept: the mean of the weights at so many evaluations
    patience: int = 10  # evaluations without a better one before training ends
    seed: int = 1


@dataclass(frozen=True)
class Evaluation:
    """What was known at one moment of training."""

    update: int
    epoch: int
    minutes: float
    cpu_minutes: float
    loss: float  # mean over training pieces since the last one, smoothed
    bleu: float  # of dev, greedy
    file: str  # the weights evaluated


def train(
    model: Transformer,
    subwords: Subwords,
    pairs: Sequence[tuple[list[int], list[int]]],
    dev: Sequence[list[int]],
    reference: Sequence[str],
    options: TrainOptions,
    out: Path,
    begun: tuple[float, float],
) -> list[Evaluation]:
    """Train, and leave the best weights in the model. Every evaluation is a line of `evaluations.jsonl`.

    Args:
        model: with its first weights.
        subwords: of the target, to read what the model says.
        pairs: pieces of both sides.
        dev: pieces of the source sentences that are translated now and then.
        reference: their translations as text.
        options: how to train.
        out: folder for weights and evaluations.
        begun: wall and CPU seconds at which the job began: what came before counts too.
    """
    chance = random.Random(options.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=options.rate, betas=(0.9, 0.98), fused=True)
    recent: deque[Weights] = deque(maxlen=options.average)
    history: list[Evaluation] = []
    update, epoch, loss, pieces = 0, 0, 0.0, 0
    every = options.every or max(100, sum(1 for _ in batches(pairs, options.batch)))
    while True:
        epoch += 1
        for batch in batches(pairs, options.batch, chance):
            update += 1
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(update / options.warmup, (options.warmup / update) ** 0.5)
            loss += _update(model, optimizer, batch, options)
            pieces += batch.pieces
            if update % every:
                continue
            recent.append({name: value.clone() for name, value in model.state_dict().items()})
            mean = {name: sum(each[name] for each in recent) / len(recent) for name in recent[0]}
            torch.save(mean, out / f"weights-{update}.pt")
            evaluation = Evaluation(
                update,
                epoch,
                bleu=_bleu(model, mean, subwords, dev, reference),
                minutes=(time.perf_counter() - begun[0]) / 60,
                cpu_minutes=(time.process_time() - begun[1]) / 60,
                loss=loss / pieces,
                file=f"weights-{update}.pt",
            )
            history.append(evaluation)
            with open(out / "evaluations.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(evaluation)) + "\n")
            print(
                f"update {update}, epoch {epoch}, {evaluation.minutes:.1f} min: "
                f"loss {evaluation.loss:.3f}, dev BLEU {evaluation.bleu:.2f}",
                flush=True,
            )
            loss, pieces = 0.0, 0
            best = max(history, key=lambda each: each.bleu)
            if (
                evaluation.minutes >= options.minutes
                or len(history) - 1 - history.index(best) >= options.patience
            ):
                model.load_state_dict(torch.load(out / best.file))
                return history


def _update(
    model: Transformer, optimizer: torch.optim.Optimizer, batch: Batch, options: TrainOptions
) -> float:
    """One step; the summed loss."""
    model.train()
    optimizer.zero_grad(set_to_none=True)
    wanted = batch.target_out != PAD
    with torch.autocast("cpu", torch.bfloat16):
        states = model(batch.source, batch.target_in)[wanted]  # no scores for what only fills up
    loss = SmoothedLoss.apply(states, model.embedding.weight, batch.target_out[wanted], options.smoothing)
    (loss / len(states)).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), options.clip)
    optimizer.step()
    return loss.item()


def _bleu(
    model: Transformer,
    weights: Weights,
    subwords: Subwords,
    dev: Sequence[list[int]],
    reference: Sequence[str],
) -> float:
    """Of greedy translations with other weights than the model's, which it keeps."""
    own = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(weights)
    hypotheses = subwords.decode(translate(model, dev, beam=1))
    model.load_state_dict(own)
    return float(sacrebleu.corpus_bleu(hypotheses, [list(reference)]).score)
