"""Damaged model files: an error that names the place, never a crash."""

from __future__ import annotations

import gzip
import random
import re
import struct
import sys
from pathlib import Path

import pytest

from demotic.base.errors import DemoticError, DemoticWarning
from demotic.lm import LanguageModel, LmOptions, train

sys.path.insert(0, str(Path(__file__).parent))
from pieces import piece

from section_files import without_checksums

pytestmark = pytest.mark.filterwarnings("ignore:the text is too small")

GOOD = """\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1.5\t<unk>\t0
0\t<s>\t-0.3
-0.9\t</s>\t0
-0.5\ta\t-0.2

\\2-grams:
-0.3\t<s> a
-0.2\ta </s>

\\end\\
"""


def load(folder: Path, text: str) -> LanguageModel:
    (folder / "lm.arpa").write_text(text, encoding="utf-8")
    return LanguageModel.load(folder / "lm.arpa")


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("ngram 1=4", "ngram 1=5", "there are 4 n-grams of order 1, the header says 5", 11),
        ("ngram 2=2", "ngram 2=1", "there are 2 n-grams of order 2, the header says 1", 15),
        ("ngram 2=2\n", "", "backoff for the highest order", 6),
        ("\\end\\\n", "\\3-grams:\n", r"expected \\end\\, found '\\3-grams:'", 15),
        ("ngram 1=4", "ngram 2=4", "must begin with order 1", 2),
        ("ngram 1=4", "ngram one", "expected a line like", 2),
        ("ngram 1=4\nngram 2=2\n", "", "says nothing about the number", 3),
        ("\\end\\\n", "", r"ends without \\end\\", None),
        ("\\2-grams:", "\\3-grams:", "expected the n-grams of order 2", 11),
        ("\\data\\", "\\date\\", "not an ARPA file", None),
        ("-0.5\ta", "0.5\ta", "0.5 is positive", 9),
        ("-0.5\ta", "nan\ta", "'nan' is not a number", 9),
        ("-0.5\ta", "inf\ta", "'inf' is not a number", 9),
        ("-0.5\ta", "-0,5\ta", "'-0,5' is not a number", 9),
        ("a\t-0.2", "a\tnan", "backoff 'nan' is not a number", 9),
        ("-0.2\ta </s>", "-0.2\tx </s>", "'x' is not among the unigrams", 13),
        ("-0.2\ta </s>", "-0.2\t<s> a", "'<s> a' comes twice", 13),
        ("-0.5\ta", "-0.5\t</s>", "'</s>' comes twice", 9),
        ("-0.2\ta </s>", "-0.2\ta", "found 2 fields", 13),
        ("-0.2\ta </s>", "-0.2\ta </s>\t-0.1", "backoff for the highest order", 13),
        ("0\t<s>\t-0.3\n", "-1\tb\n", "has no <s>", 11),
    ],
)
def test_damaged_arpa(tmp_path: Path, old: str, new: str, message: str, line: int | None):
    assert load(tmp_path, GOOD).score("a") == pytest.approx(-0.5)
    assert old in GOOD
    with pytest.raises(DemoticError, match=message) as caught:
        load(tmp_path, GOOD.replace(old, new))
    assert caught.value.file == str(tmp_path / "lm.arpa")
    assert caught.value.line == line or line is None
    assert caught.value.hint


def test_context_that_is_absent(tmp_path: Path):
    text = GOOD.replace("ngram 2=2", "ngram 2=2\nngram 3=1")
    text = text.replace("\\end\\", "\\3-grams:\n-0.1\ta a </s>\n\n\\end\\")
    with pytest.raises(DemoticError, match="'a a' is missing, but 'a a </s>' begins with it") as caught:
        load(tmp_path, text)
    assert caught.value.line == 17


def test_documented_treatment(tmp_path: Path):
    without_backoff = load(tmp_path, GOOD.replace("a\t-0.2", "a"))
    assert without_backoff.score("a a") == pytest.approx(-0.3 - 0.5 - 0.2)
    assert load(tmp_path, GOOD.replace("-0.5\ta", "-inf\ta")).score("x a") == pytest.approx(
        -0.3 - 1.5 - 99 - 0.2
    )
    with pytest.warns(DemoticWarning, match="no <unk>"):
        model = load(tmp_path, GOOD.replace("-1.5\t<unk>\t0\n", "").replace("ngram 1=4", "ngram 1=3"))
    assert model.score("x") == pytest.approx(-0.3 - 100 - 0.9)
    assert load(tmp_path, GOOD.replace("<unk>", "<UNK>")).score("x") == pytest.approx(-0.3 - 1.5 - 0.9)
    assert load(tmp_path, GOOD.replace("\n", "\r\n")).score("a") == pytest.approx(-0.5)


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    rng = random.Random(1)
    lines = [" ".join(rng.choice("abcdefgh") for _ in range(rng.randrange(1, 9))) for _ in range(60)]
    (tmp_path / "text").write_text("\n".join(lines), encoding="utf-8")
    train([tmp_path / "text"], LmOptions(order=4), tmp_path / "lm.bin")
    return tmp_path / "lm.bin"


def test_truncated_binary(binary: Path):
    whole = binary.read_bytes()
    for size in {0, 4, 7, 8, 30, 60, 100, len(whole) // 2, len(whole) - 1}:
        binary.write_bytes(whole[:size])
        with pytest.raises(DemoticError):
            LanguageModel.load(binary)


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [(8, 0x04030201, "other byte order"), (12, 1, "format version 1, this program reads version 2")],
)
def test_binary_of_another_kind(binary: Path, offset: int, value: int, message: str):
    content = bytearray(binary.read_bytes())
    content[offset : offset + 4] = struct.pack("<I", value)
    binary.write_bytes(content)
    with pytest.raises(DemoticError, match=message) as caught:
        LanguageModel.load(binary)
    assert "build it again" in caught.value.hint


def test_other_files(tmp_path: Path):
    from demotic.corpus.bitext import build_bitext

    for side in ("a", "b"):
        (tmp_path / side).write_text("x\n", encoding="utf-8")
    build_bitext(tmp_path / "a", tmp_path / "b", None, tmp_path / "bitext")
    with pytest.raises(DemoticError, match="holds 'bitext', not 'lm'"):
        LanguageModel.load(tmp_path / "bitext")
    with pytest.raises(DemoticError, match="not an ARPA file"):
        LanguageModel.load(tmp_path / "a")
    with pytest.raises(DemoticError, match="no such file"):
        LanguageModel.load(tmp_path / "absent")
    with pytest.raises(DemoticError, match="is a directory"):
        LanguageModel.load(tmp_path)
    (tmp_path / "lm.arpa.gz").write_bytes(gzip.compress(GOOD.encode())[:-9])
    with pytest.raises(DemoticError, match="truncated or damaged"):
        LanguageModel.load(tmp_path / "lm.arpa.gz")


def test_flipped_bytes_never_crash(binary: Path):
    """Sizes and words are checked when a file is opened; wrong n-grams give wrong numbers, and nothing worse."""
    whole = without_checksums(binary.read_bytes())
    rng = random.Random(5)
    loaded = 0
    for _ in range(400):
        content = bytearray(whole)
        for _ in range(rng.choice([1, 1, 8, 200])):
            content[rng.randrange(len(content) if rng.random() < 0.9 else 600)] = rng.choice(
                [0, 1, 2, 127, 128, 255]
            )
        binary.write_bytes(content)
        try:
            model = LanguageModel.load(binary)
        except DemoticError:
            continue
        loaded += 1
        for text in ("a b c d e f g h", "h g f e x d c b a", ""):
            model.score(text)
            pieces = [piece(model, part)[1] for part in (list("abcd"), list("efgh"), ["x"])]
            model.core.merge(model.core.merge(pieces[0], pieces[1])[1], pieces[2])
        try:
            model.save(binary.with_suffix(".arpa"))
        except DemoticError as error:
            assert re.search("contradict", error.message)
    assert loaded > 100
