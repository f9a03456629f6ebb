"""Without the extra `report`: what needs a figure says so in one line before it works, and everything else works."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.cli.main import run
from demotic.report import Report, Section, Table, write_report
from demotic.report.figures import save_figure


@pytest.fixture(autouse=True)
def no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.mark.parametrize(
    "command",
    [
        ["demo", "--out", "out"],
        ["report", "nowhere", "--out", "out"],
        ["reproduce", "simianer2012-table2", "--corpus", ".", "--out", "out"],
        ["compare", "--ref", "nowhere", "--system", "a=nowhere,nowhere", "--plot", "out"],
    ],
)
def test_the_extra_is_asked_for_before_any_work(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    assert run(command) == 1
    assert capsys.readouterr().err.splitlines() == [
        "demotic: matplotlib is not installed",
        "  hint: pip install 'demotic[report]'",
    ]
    assert not list(tmp_path.iterdir())


def test_a_figure_is_refused_and_leaves_no_file(tmp_path: Path):
    with pytest.raises(DemoticError, match="matplotlib is not installed"):
        save_figure(lambda: pytest.fail("there is nothing to draw with"), tmp_path / "figure")
    assert not list(tmp_path.iterdir())


def test_a_page_without_figures_needs_no_matplotlib(tmp_path: Path):
    section = Section("Scores", ["One system."], [Table("Scores", ["system", "BLEU"], [["a", 27.3]])])
    (page,) = write_report(Report("A page", sections=[section]), tmp_path / "report.html")
    assert "27.3" in page.read_text("utf-8")
