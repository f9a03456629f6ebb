"""Quality against training time: BLEU of test sets with the weights of some evaluations, and a picture beside Demotic.

    python -m benchmarks.neural.curve score DIR --test test.de,test.en --test devtest.de,devtest.en --points 8
    python -m benchmarks.neural.curve draw --panel '3,000 pairs=DIR,demotic.json' ... --out curve.png

`score` translates with beam 5 and writes DIR/curve.json; test sets are pooled. demotic.json: {"name": [CPU minutes, BLEU], ...}.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from demotic.base.files import atomic_write, read_lines
from demotic.report.figures import MARKERS, SERIES, new_axes, save_figure


def score(folder: Path, tests: list[str], points: int) -> None:
    """BLEU of the evaluations that are closest to even steps on a logarithmic axis of time."""
    import sacrebleu
    import torch

    from benchmarks.neural.__main__ import LONGEST, load
    from benchmarks.neural.beam import translate

    torch.set_num_threads(1)
    history = [json.loads(line) for line in read_lines(folder / "evaluations.jsonl")]
    source, reference = (
        [line for test in tests for line in read_lines(test.split(",")[side])] for side in (0, 1)
    )
    last = history[-1]["update"]
    wanted = [
        history[0]["update"] ** (1 - i / (points - 1)) * last ** (i / (points - 1)) for i in range(points)
    ]
    chosen = {min(history, key=lambda each: abs(each["update"] - x))["update"] for x in wanted}
    found = []
    for evaluation in history:
        if evaluation["update"] in chosen:
            subwords, model = load(folder, evaluation["file"])
            hypotheses = subwords.decode(translate(model, subwords.encode(source, LONGEST), 5))
            bleu = sacrebleu.corpus_bleu(hypotheses, [reference]).score
            found.append({"cpu_minutes": evaluation["cpu_minutes"], "bleu": bleu, "dev": evaluation["bleu"]})
            print(found[-1], flush=True)
    with atomic_write(folder / "curve.json") as file:
        json.dump(found, file, indent=1)


def draw(panels: list[str], out: Path) -> None:
    """One line for each size of the training set, and Demotic's points in the same colour."""
    read: list[tuple[str, Any, Any]] = []
    for panel in panels:
        title, files = panel.split("=")
        folder, demotic = files.split(",")
        curve = json.loads((Path(folder) / "curve.json").read_text("utf-8"))
        read.append((title, curve, json.loads(Path(demotic).read_text("utf-8"))))

    def figure():  # type: ignore[no-untyped-def]  # noqa: ANN202
        figure, axes = new_axes(7.2, 4.2)
        for i, (title, curve, demotic) in enumerate(read):
            axes.plot(
                [point["cpu_minutes"] for point in curve],
                [point["bleu"] for point in curve],
                f"{MARKERS[i]}-",
                markersize=4,
                color=SERIES[i],
                label=f"Transformer, {title}",
            )
            axes.plot(
                [minutes for minutes, _bleu in demotic.values()],
                [bleu for _minutes, bleu in demotic.values()],
                f"{MARKERS[i]}--",
                markersize=8,
                markerfacecolor="white",
                color=SERIES[i],
                label=f"Demotic, {title}: {', '.join(demotic)}",
            )
        axes.set_xscale("log")
        ticks = (0.5, 1, 2, 5, 10, 20, 30)
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel("training, CPU minutes of one thread")
        axes.set_ylabel("BLEU, test 2016 and 2017 pooled")
        axes.grid(alpha=0.5)
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8)
        return figure

    save_figure(figure, out)


def main() -> None:
    """Score or draw."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.neural.curve", description=__doc__.splitlines()[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    scoring = commands.add_parser("score", help="translate test sets with the weights of some evaluations")
    scoring.add_argument("folder", type=Path)
    scoring.add_argument("--test", action="append", required=True, help="SOURCE,REFERENCE")
    scoring.add_argument("--points", type=int, default=8)
    drawing = commands.add_parser("draw", help="draw what was scored")
    drawing.add_argument("--panel", action="append", required=True, help="TITLE=DIR,FILE.json")
    drawing.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "score":
        score(given.folder, given.test, given.points)
    else:
        draw(given.panel, given.out)


if __name__ == "__main__":
    main()
