"""The kinds of tables and figures. A kind knows a layout, never a learner."""

from __future__ import annotations

from collections.abc import Callable

from demotic.reproduce.context import Context
from demotic.reproduce.kinds.bin_figure import bin_figure
from demotic.reproduce.kinds.box_figure import box_figure
from demotic.reproduce.kinds.corpus_table import corpus_table
from demotic.reproduce.kinds.curve_figure import curve_figure
from demotic.reproduce.kinds.effect_figure import effect_figure
from demotic.reproduce.kinds.system_table import system_table
from demotic.reproduce.result import Result
from demotic.reproduce.scores import Scores

KINDS: dict[str, Callable[[Context, Scores], Result]] = {
    "systems": system_table,
    "corpus": corpus_table,
    "boxes": box_figure,
    "curve": curve_figure,
    "effect": effect_figure,
    "bins": bin_figure,
}
