"""`demotic weights`: inspect learnt weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from demotic.base.errors import DemoticError
from demotic.cli.common import Json, Threads, emit, table

if TYPE_CHECKING:
    from demotic.features import Weights
    from demotic.features.templates import ClassPairs

app = typer.Typer(help="Inspect learnt weights.", no_args_is_help=True)

WeightsFile = Annotated[Path, typer.Argument(help="Model folder or weights file.")]
Template = Annotated[
    str,
    typer.Option(
        "--template", help="Show only features of this template, e.g. id; `dense` shows the dense features."
    ),
]


@app.command("show")
def show(weights: WeightsFile, template: Template = "", json: Json = False) -> None:
    """Print all weights, sorted by name, with the meaning of each feature."""
    from demotic.features import describe

    (chosen,) = _chosen(template, weights)
    rows = list(chosen.items())
    plain = {"weights": dict(rows)}
    emit(
        plain,
        [
            table(
                str(weights),
                ["feature", "weight", "meaning"],
                [(n, f"{w:.6g}", describe(n)) for n, w in rows],
            )
        ],
        json,
    )


@app.command("top")
def top(
    weights: WeightsFile,
    n: Annotated[int, typer.Option("-n", min=1, help="Number of features in each list.")] = 10,
    template: Template = "",
    json: Json = False,
) -> None:
    """Print the features with the largest and the smallest weights."""
    from demotic.features import describe

    (chosen,) = _chosen(template, weights)
    best = sorted(((n_, w) for n_, w in chosen.items() if w > 0), key=lambda item: (-item[1], item[0]))[:n]
    worst = sorted(((n_, w) for n_, w in chosen.items() if w < 0), key=lambda item: (item[1], item[0]))[:n]
    classes = _classes(weights, [name for name, _ in [*best, *worst]])
    tables = [
        table(title, ["feature", "weight"], [(describe(name, classes), _figure(w)) for name, w in rows])
        for title, rows in (("Largest", best), ("Smallest", worst))
    ]
    emit({"best": dict(best), "worst": dict(worst)}, tables, json)


@app.command("diff")
def diff(
    before: WeightsFile,
    after: WeightsFile,
    n: Annotated[int, typer.Option("-n", min=1, help="Number of features.")] = 20,
    template: Template = "",
    json: Json = False,
) -> None:
    """Print the largest differences between two sets of weights."""
    from demotic.features import describe

    old, new = _chosen(template, before, after)
    changed = {name: new.get(name, 0.0) - old.get(name, 0.0) for name in {*old, *new}}
    names = sorted((name for name in changed if changed[name]), key=lambda name: (-abs(changed[name]), name))
    rows = [(describe(m), *(_figure(each.get(m, 0.0)) for each in (old, new, changed))) for m in names[:n]]
    summary = f"{len(names):,} of {len(changed):,} weights differ"
    plain = {
        "differ": len(names),
        "changes": {name: [old.get(name, 0.0), new.get(name, 0.0)] for name in names[:n]},
    }
    emit(plain, [table(summary, ["feature", "before", "after", "change"], rows)], json)


@app.command("usage")
def usage(
    model: Annotated[Path, typer.Argument(help="Model folder.")],
    src: Annotated[Path, typer.Option("--src", help="Source text, e.g. a test set.")],
    k: Annotated[int, typer.Option("-k", min=1, help="Size of the k-best list of each sentence.")] = 1000,
    threads_: Threads = 0,
    json: Json = False,
) -> None:
    """Count the features with a weight, and those of them that occur in translations of a text; a group counts as one."""
    from demotic.base.files import read_lines
    from demotic.decode import TranslationModel
    from demotic.pipeline.usage import feature_usage

    found = feature_usage(TranslationModel(model), read_lines(src), k, threads_)
    rows = [
        ("active features", found.active),
        (f"reused in {k:,}-best lists of {found.sentences:,} sentences", found.reused),
        ("single features with a weight", found.features),
        ("minutes of tuning", f"{found.tuning_seconds / 60:.1f}" if found.tuning_seconds else "unknown"),
        ("seconds of decoding", f"{found.decoding_seconds:.1f}"),
    ]
    emit({"k": k, **vars(found)}, [table(str(model), ["", ""], rows)], json)


@app.command("plot")
def plot(
    model: Annotated[Path, typer.Argument(help="Model with bins, from `demotic tune --discretize`.")],
    feature: Annotated[str, typer.Argument(help="Name of the dense feature, e.g. ProbEgivenF.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Output file: FILE.png, FILE.svg, or FILE for both.")
    ] = None,
    json: Json = False,
) -> None:
    """Plot the weights of a feature's bins against its values, with a fitted log curve."""
    from demotic.report.weight_plot import weight_curve, weight_plot

    curve = weight_curve(model, feature)
    files = weight_plot(curve, out) if out else []
    rows = [
        (f"{low:g}" if low == high else f"{low:g} to {high:g}", f"{weight:+.6g}")
        for low, high, weight in zip(curve.low, curve.high, curve.weights, strict=True)
    ]
    if curve.fit:
        rows.append(("fitted", f"{curve.fit[0]:.4g} {curve.fit[1]:+.4g} log10 x"))
    correlations = {"log10 x": curve.log_correlation, "the start": curve.start_correlation}
    rows += [(f"correlation with {name}", f"{r:.2f}") for name, r in correlations.items() if r is not None]
    title = f"{feature}: {len(curve.weights)} bins" + "".join(f", {file}" for file in files)
    plain = {**curve.to_dict(), "files": [str(file) for file in files]}
    emit(plain, [table(title, ["values", "weight"], rows)], json)


def _load(path: Path) -> Weights:
    from demotic.decode.model_folder import WEIGHTS
    from demotic.features import Weights

    return Weights.load(path / WEIGHTS if path.is_dir() else path)


def _classes(path: Path, names: list[str]) -> ClassPairs:
    """The word classes of a model that features have, to show them by their words."""
    from demotic.decode.model_folder import ModelFolder
    from demotic.features import CLASS_TEMPLATES, parse_name

    named = [name for name in names if name.partition(":")[0] in CLASS_TEMPLATES]
    folder = ModelFolder(path)
    sizes = {parse_name(name).classes for name in named}
    return {size: folder.read_classes(size) for size in sorted(sizes) if folder.has_classes(size)}


def _chosen(template: str, *files: Path) -> list[dict[str, float]]:
    """The weights of each file, if a template is named its own only; an error if it has none in any of them."""
    named = [_load(file).to_dict() for file in files]
    if not template:
        return named
    chosen = [{name: w for name, w in each.items() if _template(name) == template} for each in named]
    if not any(chosen):
        known = sorted({_template(name) for each in named for name in each})
        raise DemoticError(
            f"no feature of the template '{template}' has a weight", hint=f"there are: {', '.join(known)}"
        )
    return chosen


def _figure(weight: float) -> str:
    """A weight in a column of weights, points below points; a very small one with its power of ten."""
    return f"{weight:+.4f}" if weight == 0 or abs(weight) >= 0.0001 else f"{weight:+.1e}"


def _template(feature: str) -> str:
    """What has made a feature: the part before the colon."""
    kind, colon, _ = feature.partition(":")
    return kind if colon else "dense"
