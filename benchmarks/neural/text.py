"""From raw lines to batches of subword pieces, and back."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import sentencepiece
import torch
from torch import Tensor

PAD, UNKNOWN, BEGIN, END = range(4)


class Subwords:
    """One unigram model (Kudo 2018) for both languages, so that names and numbers are copied piece by piece."""

    def __init__(self, path: Path) -> None:
        self._model = sentencepiece.SentencePieceProcessor(model_file=str(path))

    def __len__(self) -> int:
        return int(self._model.get_piece_size())

    @classmethod
    def learn(cls, lines: Sequence[str], size: int, path: Path) -> Subwords:
        """Learn pieces from lines of both languages and write them to a file."""
        with open(path, "wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(lines),
                model_writer=file,
                vocab_size=size,
                model_type="unigram",
                character_coverage=1.0,
                normalization_rule_name="identity",
                pad_id=PAD,
                unk_id=UNKNOWN,
                bos_id=BEGIN,
                eos_id=END,
                num_threads=1,
                minloglevel=2,
            )
        return cls(path)

    def encode(self, lines: Sequence[str], longest: int) -> list[list[int]]:
        """Pieces of each line with the end; what is beyond the longest is cut off."""
        return [[*pieces[: longest - 1], END] for pieces in self._model.encode(list(lines))]

    def decode(self, pieces: Sequence[Sequence[int]]) -> list[str]:
        """Text of each row, which must not have the end."""
        return [self._model.decode(list(row)) for row in pieces]


@dataclass(frozen=True)
class Batch:
    """Pairs of about one length; rows are filled up with PAD."""

    source: Tensor
    target_in: Tensor  # from the beginning
    target_out: Tensor  # to the end

    @property
    def pieces(self) -> int:
        """Target pieces to predict."""
        return int((self.target_out != PAD).sum())


def batches(
    pairs: Sequence[tuple[list[int], list[int]]], most: int, chance: random.Random | None = None
) -> Iterator[Batch]:
    """Pairs in batches of at most so many pieces on each side, filling included; in random order if there is chance."""
    order = list(range(len(pairs)))
    if chance:
        chance.shuffle(order)  # pairs of one length meet others in each epoch
    order.sort(key=lambda i: (len(pairs[i][1]), len(pairs[i][0])))
    groups: list[list[int]] = [[]]
    longest = 0
    for i in order:
        longest = max(longest, *map(len, pairs[i]))
        if groups[-1] and longest * (len(groups[-1]) + 1) > most:
            groups.append([])
            longest = max(map(len, pairs[i]))
        groups[-1].append(i)
    if chance:
        chance.shuffle(groups)
    for group in groups:
        target = [pairs[i][1] for i in group]
        yield Batch(
            fill([pairs[i][0] for i in group]), fill([[BEGIN, *row[:-1]] for row in target]), fill(target)
        )


def fill(rows: Sequence[Sequence[int]]) -> Tensor:
    """Rows as a matrix, filled up with PAD."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])
