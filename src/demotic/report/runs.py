"""From the folders that `demotic train`, `tune` and `demo` leave to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import demotic
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.base.json_text import parse_json
from demotic.corpus.preparation import SUMMARY
from demotic.decode.model_folder import BINS, MODEL_TOML, ModelFolder
from demotic.features import Bins, FeatureGroups
from demotic.features.groups import GROUPS
from demotic.pipeline.replicas import FOLDER as REPLICAS
from demotic.report.history import read_history
from demotic.report.parts import Cell, FeatureGroup, Report, SystemPart, Table
from demotic.report.translating import TestFiles, translate_test_set
from demotic.report.weight_plot import WeightCurve, weight_curve


@dataclass(frozen=True)
class RunFolder:
    """A model folder under a name.

    Attributes:
        name: of the system.
        folder: of the model; of several replicas the best.
        replicas: folders of all its replicas, the one that the model is a copy of first; of a single run the model itself.
    """

    name: str
    folder: Path
    replicas: tuple[Path, ...]

    @classmethod
    def find(cls, path: Pathish, name: str | None = None) -> RunFolder:
        """The model in a folder: the folder itself, its sub-folder `model` (a demo), or the folder above (`MODEL/run`)."""
        given = Path(path)
        places = (given, given / "model", given.parent if given.name == "run" else given)
        folder = next((place for place in places if ModelFolder(place).is_complete), None)
        if folder is None:
            raise DemoticError(
                f"not a model folder: {MODEL_TOML} is missing",
                path,
                hint="give a folder from `demotic train`, `tune` or `demo`",
            )
        return cls(name or folder.resolve().name, folder, _replicas(folder))

    @property
    def settings(self) -> dict[str, Any]:
        """What `model.toml` says."""
        return ModelFolder(self.folder).values

    def system(self, fired: Mapping[str, int] | None = None) -> SystemPart:
        """How it was learnt and what it learnt."""
        settings = self.settings
        tuned = settings.get("tuned", {})
        history = read_history(self.replicas[0] / "run")
        return SystemPart(
            self.name,
            learner=str(tuned.get("learner", settings.get("learner", "") if history else "by hand")),
            history=history,
            epoch=tuned.get("epoch"),
            weights=ModelFolder(self.folder).weights.to_dict(),
            fired=fired,
            bins=_bins(self.folder),
            groups=_groups(self.folder),
        )


def _bins(folder: Path) -> list[WeightCurve]:
    """Weights over the bins of a discretised model."""
    if not (folder / BINS).exists():
        return []
    return [weight_curve(folder, bins.feature) for bins in Bins.load(folder / BINS).features]


def _groups(folder: Path) -> list[FeatureGroup]:
    """Features that share a weight."""
    if not (folder / GROUPS).exists():
        return []
    weights = ModelFolder(folder).weights
    return [FeatureGroup(weights.get(names[0]), names) for names in FeatureGroups.load(folder).members()]


def _replicas(folder: Path) -> tuple[Path, ...]:
    seed = _seed(folder)
    copies = [file.parent for file in (folder / REPLICAS).glob(f"*/{MODEL_TOML}")]
    ordered = sorted(copies, key=lambda copy: (_seed(copy) != seed, len(copy.name), copy.name))
    return tuple(ordered) or (folder,)


def _seed(folder: Path) -> Any:
    return ModelFolder(folder).values.get("tuned", {}).get("seed")


def report_of_runs(
    runs: Sequence[RunFolder],
    *,
    title: str = "",
    lead: Sequence[str] = (),
    test: TestFiles | None = None,
    threads: int = 0,
) -> Report:
    """A report on one or more models.

    Args:
        runs: the baseline first.
        title: of the page.
        lead: paragraphs below it.
        test: a test set to translate and compare on; None: without scores and examples.
        threads: for translating; 0: all cores.
    """
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise DemoticError("two runs have the same name", hint="name them: NAME=FOLDER")
    if not runs:
        raise DemoticError("no runs given", hint="give a folder from `demotic train` or `demotic tune`")
    first = runs[0].settings
    translated = (
        None if test is None else translate_test_set(test, {r.name: r.replicas for r in runs}, threads)
    )
    fired = translated.fired if translated else {}
    prepare = first.get("prepare", {})
    return Report(
        title or f"Report on {', '.join(names)}",
        lead,
        test_sets=[translated.test_set] if translated else [],
        systems=[run.system(fired.get(run.name)) for run in runs],
        corpus=_corpus_tables(runs[0].folder),
        configuration=_configuration(runs),
        warnings=_version_warnings(runs),
        examples_shown=test.examples if test else Report.examples_shown,
        languages=(prepare.get("source_language"), prepare.get("target_language")),
    )


def _configuration(runs: Sequence[RunFolder]) -> dict[str, Any]:
    """That of the first run, and where the others differ from it."""
    base = runs[0].settings
    others = {run.name: _differing(run.settings, base) for run in runs[1:]}
    return base | {f"{name} (where it differs)": values for name, values in others.items() if values}


def _differing(settings: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    result = {}
    for key, value in settings.items():
        other = base.get(key)
        if isinstance(value, dict) and isinstance(other, dict):
            value = _differing(value, other)
            if not value:
                continue
        elif value == other:
            continue
        result[key] = value
    return result


def _version_warnings(runs: Sequence[RunFolder]) -> list[str]:
    return [
        f"{run.name} was made by Demotic {version}, this page by {demotic.__version__}."
        for run in runs
        if (version := run.settings.get("demotic")) != demotic.__version__
    ]


def _corpus_tables(model: Path) -> list[Table]:
    """Sizes, and what preparation removed if its summary is there."""
    facts = ModelFolder(model).index.statistics()
    rows: list[list[Cell]] = [
        ["sentence pairs", facts["pairs"], facts["pairs"]],
        ["words", facts["source_tokens"], facts["target_tokens"]],
        ["distinct words", facts["source_types"], facts["target_types"]],
    ]
    tables = [Table("Training corpus", ["", "source", "target"], rows)]
    summary = model / "run" / "prepare" / SUMMARY
    if summary.exists():
        tables.append(_preparation(summary))
    return tables


def _preparation(summary: Path) -> Table:
    try:
        counts = parse_json(summary.read_text("utf-8"))
        removed: list[list[Cell]] = [[f"removed: {why}", number] for why, number in counts["removed"].items()]
        steps: list[list[Cell]] = [["read", counts["read"]], *removed, ["kept", counts["kept"]]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DemoticError("the file is damaged", summary, hint="repeat `demotic train`") from None
    return Table("Preparation", ["sentence pairs", "number"], steps)
