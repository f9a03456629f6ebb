"""Reports: one self-contained HTML page from the results of runs."""

from demotic.experiments.report.parts import (
    BinnedWeights,
    ExamplePart,
    FeatureGroup,
    FeaturePart,
    FigurePart,
    Report,
    RuleNode,
    Section,
    SystemOutput,
    SystemPart,
    Table,
    TestSet,
)
from demotic.experiments.report.write import write_report

__all__ = [
    "BinnedWeights",
    "ExamplePart",
    "FeatureGroup",
    "FeaturePart",
    "FigurePart",
    "Report",
    "RuleNode",
    "Section",
    "SystemOutput",
    "SystemPart",
    "Table",
    "TestSet",
    "write_report",
]
