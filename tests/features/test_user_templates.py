"""Templates of a user's own files, in this process and in others."""

from __future__ import annotations

from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.base.parallel import parallel_map
from demotic.features import TemplateSet
from demotic.grammar import Grammar, Rule

FILE = """
from demotic.features import template
@template("{name}")
def words(rule):
    return [(str(len(rule.source)), 1.0)]
"""


def vector(name: str) -> dict[str, float]:
    return next(TemplateSet([name]).vectors(Grammar.from_rules([Rule(("a", "b"), ("c",))])))


def test_files_and_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "one.py").write_text(FILE.format(name="from_a_file"))
    (tmp_path / "demotic_test_two.py").write_text(FILE.format(name="from_a_module"))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DemoticError, match="unknown template 'from_a_file'"):
        TemplateSet(["from_a_file"])
    monkeypatch.setenv("DEMOTIC_TEMPLATES", f"{tmp_path / 'one.py'}, demotic_test_two")
    expected = [{"from_a_file:2": 1.0}, {"from_a_module:2": 1.0}]
    assert list(map(vector, ["from_a_file", "from_a_module"])) == expected
    assert list(parallel_map(vector, ["from_a_file", "from_a_module"], 2)) == expected
    with pytest.raises(
        DemoticError, match="unknown template 'from_a_fil'\n  hint: did you mean 'from_a_file'"
    ):
        TemplateSet(["from_a_fil"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nonsense", "ModuleNotFoundError: No module named 'nonsense'"),
        ("def (", "SyntaxError"),
        (FILE.format(name="id"), "'id' is the name of a built-in template"),
        (None, "FileNotFoundError"),
    ],
)
def test_files_that_cannot_be_imported(
    text: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "bad.py"
    if text is not None:
        path.write_text(text)
    monkeypatch.setenv("DEMOTIC_TEMPLATES", str(path))
    for _ in range(2):  # not half imported the second time
        with pytest.raises(DemoticError, match=message) as caught:
            TemplateSet(["anything"])
        assert caught.value.file == str(path) and "DEMOTIC_TEMPLATES" in str(caught.value.hint)
