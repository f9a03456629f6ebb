"""Minimum Bayes risk on the command line: the options of `demotic translate --mbr`, and what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from demotic.decode import TranslationModel
    from demotic.decode.decoder import MakeList

MbrChoice = Literal["none", "list", "consensus", "forest"]
Mbr = Annotated[
    MbrChoice | None,
    typer.Option(
        "--mbr",
        help="Choose translations by minimum Bayes risk: expected BLEU on a k-best list, or BLEU against expected n-gram counts of the list (consensus) or of all derivations (forest). `none` takes the best score.",
        show_default="as the model says",
    ),
]
MbrScale = Annotated[
    float | None,
    typer.Option(
        "--mbr-scale",
        help="With --mbr: scale of the scores, after weights are normalised; a higher scale trusts the model more.",
        show_default="that of the model, or 10",
    ),
]
MbrSize = Annotated[
    int | None,
    typer.Option(
        "--mbr-size",
        min=1,
        help="With --mbr: number of distinct translations compared.",
        show_default="that of the model, or 200",
    ),
]


def choice_of(
    model: TranslationModel, count: int, kind: MbrChoice | None, scale: float | None, size: int | None
) -> MakeList:
    """Makes the lists of translations that were asked for; what was not said is as the model says.

    Args:
        model: that translates.
        count: translations of a line.
        kind: of minimum Bayes risk.
        scale: for weights of length 1.
        size: translations of a line that are compared.
    """
    from demotic.base.checks import positive
    from demotic.decode import TranslateOptions

    if scale is not None:
        positive(**{"--mbr-scale": scale})
    own = model.options.translate
    return model.choice(
        count,
        TranslateOptions(
            kind or own.mbr,
            own.mbr_scale if scale is None else scale,
            own.mbr_size if size is None else size,
        ),
    )
