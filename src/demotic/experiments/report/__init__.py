"""Reports: one self-contained HTML page from the results of runs."""

from demotic.decode import FeaturePart
from demotic.experiments.report.parts import (
    BinnedWeights,
    ExamplePart,
    FeatureGroup,
    FigurePart,
    Report,
    RuleNode,
    Section,
    SystemOutput,
    SystemPart,
    Table,
    TestSet,
)
from demotic.experiments.report.runs import RunFolder, report_of_runs
from demotic.experiments.report.test_files import TestFiles, rule_node, translate_test_set
from demotic.experiments.report.write import write_report

__all__ = [
    "BinnedWeights",
    "ExamplePart",
    "FeatureGroup",
    "FeaturePart",
    "FigurePart",
    "Report",
    "RuleNode",
    "RunFolder",
    "Section",
    "SystemOutput",
    "SystemPart",
    "Table",
    "TestFiles",
    "TestSet",
    "report_of_runs",
    "rule_node",
    "translate_test_set",
    "write_report",
]
