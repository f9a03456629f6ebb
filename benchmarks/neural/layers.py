"""What PyTorch's own parts do too slowly on one core: dropout, and the loss over all pieces."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

CHUNK = 256  # rows of scores at a time: they stay in the cache


class Dropout(nn.Module):
    """Dropout with a random byte per number, 64 bits at a time; the share is rounded to 1/256."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.below = round(share * 256)

    def forward(self, states: Tensor) -> Tensor:
        """States with some of them zero and the others scaled up, in training only."""
        if not self.training or not self.below:
            return states
        dice = torch.empty(-(-states.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
        kept = dice.view(torch.uint8)[: states.numel()].view(states.shape) >= self.below
        return states * kept.to(states.dtype).mul_(256 / (256 - self.below))


class SmoothedLoss(torch.autograd.Function):
    """Summed cross-entropy of a linear map of states, with smoothed labels; gradients are made with the loss, chunk by chunk."""

    @staticmethod
    def forward(context: Any, states: Tensor, weight: Tensor, wanted: Tensor, smoothing: float) -> Tensor:
        """Sum over rows of the states; `wanted` has the right row of the weight for each."""
        low = weight.to(torch.bfloat16)
        total = torch.zeros(())
        for_states, for_weight = torch.empty_like(states, dtype=torch.float32), torch.zeros_like(weight)
        for begin in range(0, len(states), CHUNK):
            rows, right = (
                states[begin : begin + CHUNK].to(torch.bfloat16),
                wanted[begin : begin + CHUNK, None],
            )
            logs = (rows @ low.T).float().log_softmax(-1)
            total -= (1 - smoothing) * logs.gather(1, right).sum() + smoothing * logs.mean(-1).sum()
            slopes = logs.exp_().sub_(smoothing / len(weight))
            slopes.scatter_add_(1, right, torch.full(right.shape, smoothing - 1))
            slopes = slopes.to(torch.bfloat16)
            for_states[begin : begin + CHUNK] = slopes @ low
            for_weight += slopes.T @ rows
        context.save_for_backward(for_states.to(states.dtype), for_weight)
        return total

    @staticmethod
    @once_differentiable
    def backward(context: Any, slope: Tensor) -> tuple[Tensor, Tensor, None, None]:
        """What was made with the loss, scaled."""
        for_states, for_weight = context.saved_tensors
        return for_states * slope, for_weight * slope, None, None
