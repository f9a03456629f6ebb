"""`demotic calibrate`: how confident a model may be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from demotic.cli.common import Json, Seed, Threads, emit, table, threads


def calibrate(
    model: Annotated[Path, typer.Argument(help="Model folder; `confidence.toml` is written there.")],
    sentences: Annotated[
        int, typer.Option("--sentences", min=50, help="Training pairs to hold out, at most one in five.")
    ] = 1000,
    metric: Annotated[str, typer.Option("--metric", help="Sentence metric that says what is good.")] = "chrf",
    threshold: Annotated[
        float,
        typer.Option("--threshold", min=0, max=1, help="A translation is good enough from this value on."),
    ] = 0.6,
    seed: Seed = 0,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Fit the confidence of a model, for `demotic translate --confidence`."""
    from dataclasses import asdict

    from demotic.adapt.calibrate import CalibrateOptions
    from demotic.adapt.calibrate import calibrate as fit
    from demotic.decode import TranslationModel

    loaded = TranslationModel(model)
    options = CalibrateOptions(sentences, metric, threshold, seed=seed)
    confidence = fit(loaded, options, threads(threads_))
    confidence.save(loaded)
    found = confidence.calibration
    rows = [
        ("sentences held out", f"{found.sentences:,}"),
        (f"good enough ({found.metric} from {found.threshold:g})", f"{found.good:.1%}"),
        ("Brier score", f"{found.brier:.4f}"),
        ("Brier score of a constant", f"{found.brier_of_constant:.4f}"),
        ("calibration error", f"{found.calibration_error:.4f}"),
        *(
            (f"probability for {share}% precision", f"{value:.3f}")
            for share, value in confidence.thresholds.items()
        ),
    ]
    result = {**asdict(found), "thresholds": dict(confidence.thresholds)}
    emit(result, [table("Confidence, on sentences that it was not fitted on", ["", ""], rows)], json)
