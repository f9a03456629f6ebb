"""Reports: one self-contained HTML page from the results of runs."""

from demotic.decode import FeaturePart
from demotic.report.parts import (
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
from demotic.report.runs import RunFolder, report_of_runs
from demotic.report.translating import TestFiles, rule_node, translate_test_set
from demotic.report.write import write_report

__all__ = [
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
