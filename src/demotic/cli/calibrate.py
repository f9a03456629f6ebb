"""`demotic calibrate`: how confident a model may be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from demotic.cli.common import Json, Seed, Threads, emit, table, threads

if TYPE_CHECKING:
    from rich.table import Table

    from demotic.adapt.check_confidence import ConfidenceCheck
    from demotic.adapt.confidence import Confidence
    from demotic.decode import TranslationModel

Checked = Annotated[
    list[str] | None,
    typer.Option(
        "--check",
        help="NAME=SRC,REF\\[,REF...]: check the model's calibration on this text instead of fitting a new one; repeatable.",
    ),
]
Curve = Annotated[
    Path | None,
    typer.Option(
        "--curve",
        help="With --check: output file for the calibration curve: FILE.png, FILE.svg, or FILE for both.",
    ),
]


def calibrate(
    model: Annotated[Path, typer.Argument(help="Model folder; `confidence.toml` is written there.")],
    sentences: Annotated[
        int, typer.Option("--sentences", min=50, help="Training pairs to hold out, at most one in five.")
    ] = 2000,
    metric: Annotated[
        str,
        typer.Option("--metric", help="Sentence metric that decides whether a translation is good enough."),
    ] = "chrf",
    threshold: Annotated[
        float,
        typer.Option(
            "--threshold", min=0, max=1, help="Value of the metric from which a translation is good enough."
        ),
    ] = 0.6,
    src: Annotated[
        Path | None,
        typer.Option(
            "--src",
            help="Raw source text to fit on instead of training pairs; the model must not have been trained on it.",
        ),
    ] = None,
    ref: Annotated[
        list[Path] | None, typer.Option("--ref", help="Raw reference of --src; repeat for more.")
    ] = None,
    check: Checked = None,
    curve: Curve = None,
    seed: Seed = 0,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Fit the confidence of a model, for `demotic translate --confidence`, or check it on other text."""
    from demotic.adapt.calibrate import CalibrateOptions, calibrate_on
    from demotic.adapt.calibrate import calibrate as fit
    from demotic.decode import TranslationModel
    from demotic.pipeline.compare_models import read_test_set

    if (src is None) != (not ref):
        raise typer.BadParameter("give --src and --ref together", param_hint="--src")
    loaded = TranslationModel(model)
    if check:
        _check(loaded, check, curve, threads(threads_), json)
        return
    if curve:
        raise typer.BadParameter("--curve needs --check", param_hint="--curve")
    options = CalibrateOptions(sentences, metric, threshold, seed=seed)
    if src and ref:
        text = read_test_set("text", src, ref)
        confidence = calibrate_on(loaded, text.source, text.references, options, threads(threads_))
    else:
        confidence = fit(loaded, options, threads(threads_))
    confidence.save(loaded)
    emit(confidence.to_json(), _fitted(confidence), json)


def _fitted(confidence: Confidence) -> list[Table]:
    from demotic.adapt.confidence import PRECISIONS
    from demotic.adapt.precision import LEVEL

    found = confidence.calibration
    rows = [
        ("sentences held out", f"{found.sentences:,}"),
        (f"good enough ({found.metric} from {found.threshold:g})", f"{found.good:.1%}"),
        ("Brier score", f"{found.brier:.4f}"),
        ("Brier score of a constant", f"{found.brier_of_constant:.4f}"),
        ("calibration error", f"{found.calibration_error:.4f}"),
    ]
    thresholds = []
    for percent in PRECISIONS:
        each = confidence.thresholds.get(str(percent))
        cells = (
            (f"{each.probability:.3f}", f"{each.share:.1%}", f"{each.precision:.1%}", f"{each.at_least:.1%}")
            if each
            else ("none reaches it", "", "", "")
        )
        thresholds.append((f"{percent}%", *cells))
    columns = [
        "precision",
        "from probability",
        "share of sentences",
        "good among these",
        f"at least ({LEVEL:.0%})",
    ]
    return [
        table("Confidence, on sentences that were not used to fit it", ["", ""], rows),
        table("\nThresholds", columns, thresholds),
    ]


def _check(model: TranslationModel, texts: list[str], curve: Path | None, threads: int, json: bool) -> None:
    from demotic.adapt.check_confidence import check_confidence
    from demotic.pipeline.compare_models import read_test_set

    sets = {}
    for text in texts:
        name, _, files = text.partition("=")
        source, *references = files.split(",")
        if not name or not source or not references or not all(references) or name in sets:
            raise typer.BadParameter(f"'{text}' is not NAME=SRC,REF with a new name", param_hint="--check")
        sets[name] = read_test_set(name, source, references)
    if curve:
        from demotic.report.figures import need_matplotlib

        need_matplotlib()
    found = {
        name: check_confidence(model, each.source, each.references, threads) for name, each in sets.items()
    }
    result: dict[str, Any] = {name: each.to_json() for name, each in found.items()}
    if curve:
        from demotic.report.calibration_plot import calibration_plot

        result["files"] = [str(file) for file in calibration_plot(found, curve)]
    emit(result, [_checked(found)], json)


def _checked(found: dict[str, ConfidenceCheck]) -> Table:
    columns = [
        "text",
        "sentences",
        "good enough",
        "Brier score",
        "of a constant",
        "calibration error",
        "of a constant",
    ]
    columns += [f"for {each.promised:.0%}: sentences, good" for each in next(iter(found.values())).thresholds]
    rows = [
        (
            name,
            f"{each.sentences:,}",
            f"{each.good:.1%}",
            f"{each.brier:.4f}",
            f"{each.brier_of_constant:.4f}",
            f"{each.calibration_error:.4f}",
            f"{each.calibration_error_of_constant:.4f}",
            *(
                "no threshold"
                if at.probability is None
                else f"{at.sentences:,}" + ("" if at.precision is None else f", {at.precision:.1%}")
                for at in each.thresholds
            ),
        )
        for name, each in found.items()
    ]
    constant = next(iter(found.values())).constant
    return table(f"Confidence on other text; a constant is {constant:.3f} for every sentence", columns, rows)
