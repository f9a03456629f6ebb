"""Reports: one self-contained HTML page from the results of runs."""

from typing import TYPE_CHECKING

from demotic.base.lazy import lazy_exports

if TYPE_CHECKING:
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
else:
    __getattr__ = lazy_exports(__name__)

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
