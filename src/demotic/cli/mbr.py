"""Minimum Bayes risk on the command line: the options of `demotic translate --mbr`, and what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from demotic.decode import TranslationModel
    from demotic.decode.decoder import MakeList

MbrKind = Literal["list", "consensus", "forest"]
Mbr = Annotated[
    MbrKind | None,
    typer.Option(
        "--mbr",
        help="Choose translations by minimum Bayes risk: expected BLEU on a k-best list, or BLEU against expected n-gram counts of the list (consensus) or of all derivations (forest).",
    ),
]
MbrScale = Annotated[
    float,
    typer.Option(
        "--mbr-scale",
        help="With --mbr: factor of the scores in the probabilities, for weights of length 1; higher is sharper.",
    ),
]
MbrSize = Annotated[
    int, typer.Option("--mbr-size", min=1, help="With --mbr: number of distinct translations compared.")
]
DEFAULT_SCALE = 10.0
DEFAULT_SIZE = 200


def mbr_lists(model: TranslationModel, count: int, kind: MbrKind, scale: float, size: int) -> MakeList:
    """Makes lists of the translations of largest expected gain.

    Args:
        model: that translates.
        count: translations of a line.
        kind: of minimum Bayes risk.
        scale: for weights of length 1; tuners leave weights of any length, which changes no 1-best translation but all probabilities.
        size: translations of a line that are compared.
    """
    from demotic import _core
    from demotic.base.checks import positive
    from demotic.evaluate.mbr import MbrOptions
    from demotic.learn.fitting.weight_length import dense_length

    positive(**{"--mbr-scale": scale})
    options = MbrOptions(kind, scale / (dense_length(model.weights) or 1.0), max(size, count)).native()
    return lambda graph: _core.minimum_bayes_risk(graph, options, count)
