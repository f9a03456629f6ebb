"""Readers against hand-made files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.corpus import read_pairs, read_parallel, read_po, read_tmx, read_tsv

TMX = """<?xml version="1.0" encoding="utf-8"?>
<tmx version="1.4"><header srclang="de"/><body>
<tu><tuv xml:lang="de-DE"><seg>Guten  Morgen,
 <bpt i="1">&lt;b&gt;</bpt>Welt<ept i="1">&lt;/b&gt;</ept> &amp; <hi>Mond</hi></seg></tuv>
<tuv xml:lang="EN"><seg>Good morning, world &amp; moon</seg></tuv></tu>
<tu><tuv xml:lang="fr"><seg>Bonjour</seg></tuv><tuv xml:lang="de"><seg>Tag</seg></tuv></tu>
<tu><tuv lang="en_US"><seg>Hi</seg></tuv><tuv lang="de"><seg>Hallo</seg></tuv><tuv lang="de-AT"><seg>Servus</seg></tuv></tu>
</body></tmx>
"""

BOMB = """<?xml version="1.0"?>
<!DOCTYPE tmx [
 <!ENTITY a "aaaaaaaaaa">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
]>
<tmx><body><tu><tuv xml:lang="de"><seg>&b;</seg></tuv></tu></body></tmx>
"""

PO = r"""# translator
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#: a.c:1
msgid "Open \"%s\"\n"
msgstr "Öffne \"%s\"\n"

#, fuzzy
msgid "wrong"
msgstr "falsch"

msgctxt "menu"
msgid ""
"two "
"lines"
msgstr "zwei "
"Zeilen"

msgid "untranslated"
msgstr ""
msgid "one file"
msgid_plural "%d files"
msgstr[0] "eine Datei"
msgstr[1] "%d Dateien"

#~ msgid "gone"
#~ msgstr "weg"
"""


def put(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_tmx(tmp_path: Path):
    pairs = list(read_tmx(put(tmp_path / "m.tmx", TMX), "de", "en"))
    assert [(p.source, p.target) for p in pairs] == [
        ("Guten Morgen, Welt & Mond", "Good morning, world & moon"),
        ("Hallo", "Hi"),
    ]
    assert [p.line for p in pairs] == [3, 7]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (BOMB, 3, "the file declares the entity 'a'"),
        (
            TMX.replace('</seg></tuv></tu>\n<tu><tuv xml:lang="fr"', '</seg></tu>\n<tu><tuv xml:lang="fr"'),
            5,
            "not valid TMX: mismatched tag",
        ),
        (TMX[:300], None, "not valid TMX: no element found"),
        ("", 1, "not valid TMX: no element found"),
        (TMX.replace("EN", "nl").replace("en_US", "nl"), None, "no unit has both 'de' and 'en'"),
    ],
)
def test_bad_tmx(tmp_path: Path, text: str, line: int | None, message: str):
    with pytest.raises(DemoticError) as caught:
        list(read_tmx(put(tmp_path / "m.tmx", text), "de", "en"))
    assert caught.value.message.startswith(message)
    assert line is None or caught.value.line == line


def test_po(tmp_path: Path):
    pairs = list(read_po(put(tmp_path / "m.po", PO)))
    assert [(p.source, p.target, p.line) for p in pairs] == [
        ('Open "%s"', 'Öffne "%s"', 5),
        ("two lines", "zwei Zeilen", 13),
        ("one file", "eine Datei", 22),
        ("%d files", "%d Dateien", 22),
    ]


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ('msgid "a\nmsgstr "b"\n', 1),
        ('msgid "a"\nmsgstr b"\n', 2),
        ('msgstr "b"\n', 1),
        ('msgid "a"\nmsgid "b"\n', 2),
        ('"lost"\n', 1),
        ('msgid "a"\nnonsense\n', 2),
    ],
)
def test_po_syntax_errors_have_a_line(tmp_path: Path, broken: str, line: int):
    with pytest.raises(DemoticError, match="syntax error") as caught:
        list(read_po(put(tmp_path / "m.po", broken)))
    assert caught.value.line == line


def test_tsv(tmp_path: Path):
    path = put(tmp_path / "m.tsv", "a b\tc d\textra\ne\tf\n")
    assert [(p.source, p.target) for p in read_tsv(path)] == [("a b", "c d"), ("e", "f")]
    with pytest.raises(DemoticError, match=r"m.tsv:2: expected at least 2 columns"):
        list(read_tsv(put(path, "a\tb\nalone\n")))


def test_unequal_files_name_both_counts(tmp_path: Path):
    source, target = put(tmp_path / "s", "a\nb\nc\n"), put(tmp_path / "t", "a\nb\n")
    with pytest.raises(DemoticError, match=rf"t:2: 2 lines, but {source} has 3"):
        list(read_parallel(source, target))


@pytest.mark.parametrize(
    ("line", "what"), [("a\tb", "a tab"), ("a ||| b", "'|||'"), ("|||", "'|||'"), ("", "empty line")]
)
def test_tokenized_text_is_checked(tmp_path: Path, line: str, what: str):
    source, target = put(tmp_path / "s", f"fine\n{line}\n"), put(tmp_path / "t", "fine\nfine\n")
    with pytest.raises(DemoticError, match="s:2: ") as caught:
        list(read_parallel(source, target, tokenized=True, empty=False))
    assert what in caught.value.message


def test_reader_by_name(tmp_path: Path):
    with gzip.open(tmp_path / "m.tmx.gz", "wt", encoding="utf-8") as file:
        file.write(TMX)
    assert len(list(read_pairs(tmp_path / "m.tmx.gz", "de", "en"))) == 2
    with pytest.raises(DemoticError, match="unknown format of parallel text"):
        read_pairs(tmp_path / "m.docx", "de", "en")
