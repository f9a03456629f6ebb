"""Transformer-Tiny of Wu et al. (2021): four layers on each side, 128 dimensions, one embedding matrix for everything.

Zhiyong Wu, Lingpeng Kong, Wei Bi, Xiang Li and Ben Kao (2021). Good for Misconceived Reasons: An Empirical Revisiting on the Need for
Visual Context in Multimodal Machine Translation. ACL. It is the size that they chose for Multi30k. What differs: layers are
normalised before each part and not after it (Xiong et al. 2020), which needs less warm-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.neural.layers import Dropout

Keys = tuple[Tensor, Tensor]  # keys and values: rows x heads x positions x dimensions of a head


@dataclass(frozen=True)
class ModelOptions:
    """Sizes; defaults from the paper."""

    vocabulary: int
    layers: int = 4  # of the encoder, and of the decoder
    width: int = 128
    inner: int = 256  # of the feed-forward part
    heads: int = 4
    dropout: float = 0.3  # of embeddings and of what each part adds; attention has none
    pad: int = 0
    longest: int = 512  # positions


class Attention(nn.Module):
    """Multi-head attention; keys and values are made apart from queries, so that a decoder can keep them."""

    def __init__(self, options: ModelOptions) -> None:
        super().__init__()
        self.heads = options.heads
        self.query = nn.Linear(options.width, options.width)
        self.key_value = nn.Linear(options.width, 2 * options.width)
        self.out = nn.Linear(options.width, options.width)

    def keys(self, states: Tensor) -> Keys:
        """Keys and values of states, rows x positions x width."""
        key, value = self.key_value(states).chunk(2, -1)
        return self._split(key), self._split(value)

    def forward(self, states: Tensor, keys: Keys, mask: Tensor | None = None, causal: bool = False) -> Tensor:
        """What the states attend to; the mask is true where they may."""
        query = self._split(self.query(states))
        with torch.autocast("cpu", enabled=False):  # with 16 bits, its gradient took half of the time
            mixed = functional.scaled_dot_product_attention(query, *keys, attn_mask=mask, is_causal=causal)
        return self.out(mixed.transpose(1, 2).flatten(2))

    def _split(self, states: Tensor) -> Tensor:
        return states.float().unflatten(-1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Sequential):
    """Two linear maps with a rectifier between them."""

    def __init__(self, options: ModelOptions) -> None:
        inner = nn.Linear(options.width, options.inner), nn.ReLU(), nn.Linear(options.inner, options.width)
        super().__init__(*inner)


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward part."""

    def __init__(self, options: ModelOptions) -> None:
        super().__init__()
        self.attention, self.feed = Attention(options), FeedForward(options)
        self.norms = nn.ModuleList(nn.LayerNorm(options.width) for _ in range(2))
        self.dropout = Dropout(options.dropout)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """New states."""
        normal = self.norms[0](states)
        states = states + self.dropout(self.attention(normal, self.attention.keys(normal), mask))
        return states + self.dropout(self.feed(self.norms[1](states)))


class DecoderLayer(nn.Module):
    """Attention to the words so far, attention to the source, then the feed-forward part."""

    def __init__(self, options: ModelOptions) -> None:
        super().__init__()
        self.attention, self.cross, self.feed = Attention(options), Attention(options), FeedForward(options)
        self.norms = nn.ModuleList(nn.LayerNorm(options.width) for _ in range(3))
        self.dropout = Dropout(options.dropout)

    def forward(
        self, states: Tensor, past: Keys | None, source: Keys, mask: Tensor | None
    ) -> tuple[Tensor, Keys]:
        """New states and the keys of all words so far; with a past, the states are those of the next word only."""
        normal = self.norms[0](states)
        keys = self.attention.keys(normal)
        if past is not None:
            keys = torch.cat((past[0], keys[0]), 2), torch.cat((past[1], keys[1]), 2)
        states = states + self.dropout(self.attention(normal, keys, causal=past is None))
        states = states + self.dropout(self.cross(self.norms[1](states), source, mask))
        return states + self.dropout(self.feed(self.norms[2](states))), keys


class Transformer(nn.Module):
    """From source pieces to scores of the next target piece."""

    positions: Tensor

    def __init__(self, options: ModelOptions) -> None:
        super().__init__()
        self.options = options
        self.embedding = nn.Embedding(options.vocabulary, options.width, padding_idx=options.pad)
        self.encoder = nn.ModuleList(EncoderLayer(options) for _ in range(options.layers))
        self.decoder = nn.ModuleList(DecoderLayer(options) for _ in range(options.layers))
        self.norms = nn.ModuleList(nn.LayerNorm(options.width) for _ in range(2))
        self.dropout = Dropout(options.dropout)
        self.register_buffer("positions", _sinusoids(options.longest, options.width), persistent=False)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        nn.init.normal_(self.embedding.weight, std=options.width**-0.5)
        with torch.no_grad():
            self.embedding.weight[options.pad].zero_()

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor | None]:
        """States of the source, and a mask that is false where a row is filled up; none if no row is."""
        filled = source != self.options.pad
        mask = None if bool(filled.all()) else filled[:, None, None, :]
        states = self._embed(source, 0)
        for layer in self.encoder:
            states = layer(states, mask)
        return self.norms[0](states), mask

    def source_keys(self, states: Tensor) -> list[Keys]:
        """What every decoder layer attends to."""
        return [layer.cross.keys(states) for layer in self.decoder]

    def decode(
        self, target: Tensor, pasts: list[Keys] | None, sources: list[Keys], mask: Tensor | None
    ) -> tuple[Tensor, list[Keys]]:
        """States after the target pieces; with pasts, the pieces are the next one of each row."""
        states = self._embed(target, 0 if pasts is None else pasts[0][0].shape[2])
        keys = []
        for i, layer in enumerate(self.decoder):
            states, kept = layer(states, None if pasts is None else pasts[i], sources[i], mask)
            keys.append(kept)
        return self.norms[1](states), keys

    def scores(self, states: Tensor) -> Tensor:
        """Of all pieces, before the softmax."""
        return functional.linear(states, self.embedding.weight)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """States after each target piece, for training."""
        encoded, mask = self.encode(source)
        return self.decode(target, None, self.source_keys(encoded), mask)[0]

    def _embed(self, pieces: Tensor, begin: int) -> Tensor:
        scaled = self.embedding(pieces) * math.sqrt(self.options.width)
        states = scaled + self.positions[begin : begin + pieces.shape[1]]
        return self.dropout(states.to(torch.bfloat16) if torch.is_autocast_enabled("cpu") else states)


def _sinusoids(longest: int, width: int) -> Tensor:
    """Positions as sines and cosines of falling frequency (Vaswani et al. 2017)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = torch.arange(longest)[:, None] * rates
    return torch.cat((angles.sin(), angles.cos()), 1)
