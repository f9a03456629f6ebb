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
from demotic.base.files import atomic_write, atomic_write_bytes, read_lines

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class TrainOptions:
    """Defaults from Wu et al. (2021) except for batches: theirs had 4,096 pieces on each of two GPUs."""

    minutes: float = 60.0  # training ends when the next evaluation would be later
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
    state = _State(model, options, out)
    every = options.every or max(100, sum(1 for _ in batches(pairs, options.batch)))
    loss, pieces = 0.0, 0
    while True:
        state.begin_epoch()
        for i, batch in enumerate(batches(pairs, options.batch, state.chance)):
            if i < state.done:
                continue  # in the part of the epoch before training was resumed
            state.done, state.update = i + 1, state.update + 1
            loss += _update(model, state.optimizer, batch, options, state.update)
            pieces += batch.pieces
            if state.update % every:
                continue
            mean = state.mean()
            state.note(mean, _bleu(model, mean, subwords, dev, reference), loss / pieces, begun)
            loss, pieces = 0.0, 0
            if state.is_over(options):
                model.load_state_dict(torch.load(out / state.best().file))
                return state.history


class _State:
    """All that training goes on from: it is saved with every evaluation and read if there is one."""

    def __init__(self, model: Transformer, options: TrainOptions, out: Path) -> None:
        self.model, self.out = model, out
        self.path, self.lines = out / "state.pt", out / "evaluations.jsonl"
        self.optimizer = torch.optim.Adam(model.parameters(), lr=options.rate, betas=(0.9, 0.98), fused=True)
        self.recent: deque[Weights] = deque(maxlen=options.average)
        self.chance = random.Random(options.seed)
        self.before = self.chance.getstate()  # at the begin of the epoch
        self.update, self.epoch, self.done = 0, 0, 0  # done: batches of this epoch
        self.history: list[Evaluation] = []
        self.minutes, self.cpu_minutes = 0.0, 0.0  # before training was resumed
        if self.path.exists():
            saved = torch.load(self.path)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.recent.extend(saved["recent"])
            self.before, self.update, self.epoch, self.done = saved["place"]
            torch.set_rng_state(saved["random"])
            self.chance.setstate(self.before)
            self.epoch -= 1
            evaluations = [Evaluation(**json.loads(line)) for line in read_lines(self.lines)]
            self.history = [each for each in evaluations if each.update <= self.update]
            self.minutes, self.cpu_minutes = self.history[-1].minutes, self.history[-1].cpu_minutes
            self.resumed = True
        else:
            self.resumed = False

    def begin_epoch(self) -> None:
        """Note how to make the order of this epoch again."""
        self.before = self.chance.getstate()
        self.epoch += 1
        if not self.resumed:
            self.done = 0
        self.resumed = False

    def mean(self) -> Weights:
        """Of the weights now and at the evaluations before."""
        self.recent.append({name: value.clone() for name, value in self.model.state_dict().items()})
        return {name: sum(each[name] for each in self.recent) / len(self.recent) for name in self.recent[0]}

    def note(self, weights: Weights, bleu: float, loss: float, begun: tuple[float, float]) -> None:
        """Keep an evaluation with its weights, and all that training goes on from."""
        evaluation = Evaluation(
            self.update,
            self.epoch,
            minutes=self.minutes + (time.perf_counter() - begun[0]) / 60,
            cpu_minutes=self.cpu_minutes + (time.process_time() - begun[1]) / 60,
            loss=loss,
            bleu=bleu,
            file=f"weights-{self.update}.pt",
        )
        save(weights, self.out / evaluation.file)
        self.history.append(evaluation)
        self._save()
        print(
            f"update {evaluation.update}, epoch {evaluation.epoch}, {evaluation.minutes:.1f} min: "
            f"loss {evaluation.loss:.3f}, dev BLEU {evaluation.bleu:.2f}",
            flush=True,
        )

    def best(self) -> Evaluation:
        """The first with the highest BLEU."""
        return max(self.history, key=lambda each: each.bleu)

    def is_over(self, options: TrainOptions) -> bool:
        """Whether the next evaluation would come too late, or the best one lies too far back."""
        last = self.history[-1].minutes
        since = last - (self.history[-2].minutes if len(self.history) > 1 else 0.0)
        waited = len(self.history) - 1 - self.history.index(self.best())
        return last + since > options.minutes or waited >= options.patience

    def _save(self) -> None:
        saved = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "recent": list(self.recent),
            "place": (self.before, self.update, self.epoch, self.done),
            "random": torch.get_rng_state(),
        }
        # The state comes last: what it does not know of is left out when training goes on.
        with atomic_write(self.lines) as file:
            file.writelines(json.dumps(asdict(evaluation)) + "\n" for evaluation in self.history)
        save(saved, self.path)


def save(value: object, path: Path) -> None:
    """Write tensors so that a kill leaves the file of before."""
    with atomic_write_bytes(path) as file:
        torch.save(value, file)


def _update(
    model: Transformer, optimizer: torch.optim.Optimizer, batch: Batch, options: TrainOptions, number: int
) -> float:
    """One step, the so many-th; the summed loss."""
    model.train()
    rate = options.rate * min(number / options.warmup, (options.warmup / number) ** 0.5)
    for group in optimizer.param_groups:
        group["lr"] = rate
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
