"""The Python of README and how-to runs as it is printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from demotic.corpus.embedded import EmbeddedOptions, write

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/how-to/python.md"])
def test_the_python_of_a_page_is_a_script(page: str, tmp_path: Path):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    write(tmp_path, EmbeddedOptions(train=60, dev=8, devtest=8, test=8))
    (tmp_path / "script.py").write_text("\n".join(blocks), "utf-8")
    result = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout
