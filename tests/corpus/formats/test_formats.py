"""Every format: what is text, what keeps its bytes, what bad files say."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from demotic.base import DemoticError
from demotic.corpus.formats import Code, Document, Translation, read_document
from demotic.corpus.formats.html import html_slots
from demotic.corpus.formats.segment import TaggedText

PO = """# A comment
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

#. extracted
#: a.py:1
#, python-format
msgid "Hello %(name)s"
msgstr ""

msgid "One file"
msgid_plural ""
"%d files"
msgstr[0] ""
msgstr[1] ""

msgctxt "menu"
msgid "Open"
msgstr "Öffnen"

#~ msgid "old"
#~ msgstr ""
msgid "\\nLine \\"one\\"\\nline two\\n"
msgstr ""
"""
XLIFF = """<?xml version='1.0'  encoding="utf-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file source-language='en' target-language="de"><body>
  <trans-unit id="1" ><source>Click <g id="1">here &amp; now</g><x id="2"/>.</source>
  </trans-unit>
  <trans-unit id="2"><source>Done</source><target state="new"/></trans-unit>
  <trans-unit id="3" translate="no"><source>Name</source></trans-unit>
  <trans-unit id="4"><source>Has</source><target>Hat</target></trans-unit>
 </body></file>
</xliff>
"""
XLIFF2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f">
<unit id="u"><segment><source>A <pc id="1">bold</pc> word</source></segment>
<segment><source>Two</source><target>Zwei</target></segment></unit></file></xliff>
"""
TMX = """<?xml version="1.0"?>
<tmx version="1.4"><header srclang="en"/><body>
<tu><tuv xml:lang="en-US"><seg>Press <bpt i="1">&lt;b></bpt>OK<ept i="1">&lt;/b></ept></seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Yes</seg></tuv><tuv xml:lang="de"><seg>Ja</seg></tuv></tu>
</body></tmx>
"""
HTML = """<!doctype html><html><head><title>The page</title><style>p { a: "b" }</style></head>
<body class=x><h1>Big  news</h1>
<p>Read <a href="x?a=1&b=2">the <b>manual</b></a>, 5 &lt; 6&nbsp;kg<br/>now.</p><!-- no -->
<pre>keep me</pre><p translate="no">Name</p><ul><li>One <code>x = 1</code> two<li>Three</ul><script>var a = "no";</script></body></html>
"""
MARKDOWN = """---
title: kept
---
# The *big* title

Some text with `code` and a [link](http://x.org/a_(b) "t"),
wrapped  \n> quoted **words** here
> and there

- item one
- item two [ref]

| a b | c d |
|-----|-----|
| e f | `g` |

```
code stays
```

[ref]: http://y.org
"""
SRT = "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Good evening,</i>\r\nmy friend.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n- Yes?\r\n- No!\r\n"
TSV = "source a\t\tnote\r\nsource b\tZiel\r\nsource c\n123\t\n"
TXT = "A title\n\nA paragraph that is\nwrapped here.\n\n  - an item\n  - another item\n"
FILES = {
    "a.po": PO,
    "a.xlf": XLIFF,
    "b.xliff": XLIFF2,
    "a.tmx": TMX,
    "a.html": HTML,
    "a.md": MARKDOWN,
    "a.srt": SRT,
    "a.tsv": TSV,
    "a.txt": TXT,
}


def document(folder: Path, name: str, content: str | bytes | None = None) -> Document:
    content = FILES[name] if content is None else content
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_document(path, "en", "de")


def shouted(document: Document, unsure: bool = False) -> str:
    """The document with all text of segments in upper case: a translation that is easy to see."""
    return document.rendered(
        {
            i: Translation(
                tuple(piece.upper() if isinstance(piece, str) else piece for piece in each.pieces), unsure
            )
            for i, each in enumerate(document.segments)
        }
    )


@pytest.mark.parametrize("name", FILES)
def test_without_translations_not_a_byte_changes(tmp_path: Path, name: str):
    found = document(tmp_path, name)
    assert found.segments
    found.write(tmp_path / "out", {})
    assert (tmp_path / "out").read_bytes() == FILES[name].encode()


@pytest.mark.parametrize("name", ["a.html", "a.md", "a.srt", "a.txt"])
def test_translations_equal_to_the_source_change_no_byte(tmp_path: Path, name: str):
    found = document(tmp_path, name)
    same = {i: Translation(each.pieces) for i, each in enumerate(found.segments)}
    assert found.rendered(same) == FILES[name]


def test_po_fills_what_is_empty(tmp_path: Path):
    before = polib.pofile(PO)
    after = polib.pofile(shouted(document(tmp_path, "a.po"), unsure=True))
    hello, files, opened, lines = (e for e in after if not e.obsolete)
    assert hello.msgstr == "HELLO %(NAME)S"  # placeholders are kept by who translates
    assert (hello.comment, hello.flags) == ("extracted", ["python-format", "fuzzy"])
    assert files.msgstr_plural == {0: "ONE FILE", 1: "%D FILES"}
    assert (opened.msgstr, opened.flags) == ("Öffnen", [])
    assert lines.msgstr == '\nLINE "ONE"\nLINE TWO\n'
    assert after.metadata == before.metadata
    assert [e.msgid for e in after] == [e.msgid for e in before]
    assert shouted(document(tmp_path, "a.po")).count("fuzzy") == 0


def test_po_long_messages_are_wrapped_and_come_back(tmp_path: Path):
    text = "word " * 60 + "\\n" + 'x\\"y'
    found = document(tmp_path, "a.po", f'msgid "{text}"\nmsgstr ""\n')
    written = shouted(found)
    assert max(map(len, written.split("msgstr")[1].splitlines())) <= 80
    entry = polib.pofile(written)[0]
    assert entry.msgstr == entry.msgid.upper()


def test_xliff_1(tmp_path: Path):
    written = shouted(document(tmp_path, "a.xlf"), unsure=True)
    root = etree.fromstring(written.encode())
    targets = {
        unit.get("id"): "".join(unit.find("{*}target").itertext())
        for unit in root.iter("{*}trans-unit")
        if unit.find("{*}target") is not None
    }
    assert targets == {"1": "CLICK HERE & NOW.", "2": "DONE", "4": "Hat"}
    assert (
        '<target state="needs-review-translation">CLICK <g id="1">HERE &amp; NOW</g><x id="2"/>.</target>'
        in written
    )
    assert '<source>Done</source><target state="needs-review-translation">DONE</target>' in written


def test_xliff_without_a_version_has_that_of_its_name_space(tmp_path: Path):
    plain = document(tmp_path, "a.xlf", XLIFF.replace(' version="1.2"', ""))
    assert [each.pieces for each in plain.segments] == [
        each.pieces for each in document(tmp_path, "b.xlf", XLIFF).segments
    ]


def test_xliff_2_and_tmx(tmp_path: Path):
    assert '<target>A <pc id="1">BOLD</pc> WORD</target></segment>' in shouted(document(tmp_path, "b.xliff"))
    written = shouted(document(tmp_path, "a.tmx"))
    assert (
        '<tuv xml:lang="de"><seg>PRESS <bpt i="1">&lt;b></bpt>OK<ept i="1">&lt;/b></ept></seg></tuv></tu>'
        in written
    )
    assert written.count("<tuv") == 4


def test_html(tmp_path: Path):
    written = shouted(document(tmp_path, "a.html"))
    assert '<p>READ <a href="x?a=1&b=2">THE <b>MANUAL</b></a>, 5 &lt; 6&nbsp;KG<br/>NOW.</p>' in written
    for kept in (
        'p { a: "b" }',
        "<pre>keep me</pre>",
        "Name",
        "<code>x = 1</code>",
        'var a = "no";',
        "<!-- no -->",
    ):
        assert kept in written
    assert "<title>THE PAGE</title>" in written
    assert "<li>THREE</ul>" in written


def test_markdown(tmp_path: Path):
    written = shouted(document(tmp_path, "a.md"))
    assert "title: kept" in written
    assert "# THE *BIG* TITLE\n" in written
    assert 'SOME TEXT WITH `code` AND A [LINK](http://x.org/a_(b) "t"), WRAPPED' in written
    assert "> QUOTED **WORDS** HERE AND THERE\n" in written
    assert "- ITEM TWO [ref]\n" in written
    assert "| E F | `g` |" in written
    assert "code stays" in written
    assert "[ref]: http://y.org" in written


def test_subtitles_tables_and_text(tmp_path: Path):
    written = shouted(document(tmp_path, "a.srt"))
    assert "02,000\r\n<i>GOOD EVENING,</i>\r\nMY FRIEND.\r\n\r\n2" in written
    assert "- YES?\r\n- NO!\r\n" in written
    assert shouted(document(tmp_path, "a.tsv")) == (
        "source a\tSOURCE A\tnote\r\nsource b\tZiel\r\nsource c\tSOURCE C\n123\t\n"
    )
    assert shouted(document(tmp_path, "a.txt")) == TXT.upper()


BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]>'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xlf", BOMB + XLIFF.split("?>")[1], "a.xlf:1: the file declares the entity 'a'"),
        (
            "a.tmx",
            '<!DOCTYPE tmx [<!ENTITY x SYSTEM "file:///etc/passwd">]><tmx/>',
            "a.tmx:1: the file declares",
        ),
        ("a.xlf", XLIFF[:300], "a.xlf:6: not valid XML: unclosed"),
        ("a.xlf", "<xliff version='3.0'/>", "not an XLIFF file of version 1 or 2"),
        ("a.xlf", "<a>" * 300, "more than 200 elements"),
        ("a.tmx", "<?xml version='1.0' encoding='utf-7'?><tmx/>", "unknown encoding 'utf-7'"),
        ("a.tmx", "<x/>", "not a TMX file"),
        ("a.po", 'msgid "a\nmsgstr ""\n', "a.po:1: syntax error"),
        ("a.po", b'msgid "\xe4"\nmsgstr ""\n', "a.po:1: not valid UTF-8 .byte 0xe4."),
        ("a.srt", "1\nno time\n", "a.srt:2: expected the number or the time"),
        ("a.html", b"<p>a\n\xff</p>", "a.html:2: not valid UTF-8"),
        ("a.html", "<p>a\n" + "<a b='" * 2000, "a.html:1: tags are not closed"),
        ("a.md", b"a\n\0", "a.md:2: a NUL character"),
        ("a.doc", "x", "unknown format"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: str | bytes, message: str):
    with pytest.raises(DemoticError, match=message):
        document(tmp_path, name, content)


def test_encodings_come_back(tmp_path: Path):
    content = '<?xml version="1.0" encoding="iso-8859-1"?>\n<tmx><tu><tuv xml:lang="en"><seg>caf\u00e9</seg></tuv></tu></tmx>'
    found = document(tmp_path, "a.tmx", content.encode("latin-1"))
    found.write(tmp_path / "out", {0: Translation(("Caf\u00e9 \u20ac",))})
    assert b"<seg>Caf\xe9 &#8364;</seg>" in (tmp_path / "out").read_bytes()
    found = document(tmp_path, "b.srt", SRT.encode("utf-16"))
    found.write(tmp_path / "out", {})
    assert (tmp_path / "out").read_bytes() == SRT.encode("utf-16")


PIECES = st.lists(
    st.one_of(st.text("ab<>/g1 &", min_size=1, max_size=6), st.sampled_from(["open", "close", "alone"])),
    max_size=8,
)


@given(PIECES, st.randoms(use_true_random=False))
@example(["<g1>", "open", "x", "close"], None)
def test_tags_come_back_whatever_the_text(kinds: list[str], random):
    pieces = []
    for i, kind in enumerate(kinds):
        if kind in ("open", "close", "alone"):
            pieces.append(Code(f"code{i}", kind))
        elif pieces and isinstance(pieces[-1], str):
            pieces[-1] += kind
        else:
            pieces.append(kind)
    tagged = TaggedText(tuple(pieces))
    assert tagged.pieces(tagged.text) == tuple(pieces)
    if random is not None and (tags := [found[0] for found in tagged.tags(tagged.text)]):
        random.shuffle(tags)
        again = tagged.pieces("a ".join(tags))
        assert sorted(p.raw for p in again if isinstance(p, Code)) == sorted(
            p.raw for p in pieces if isinstance(p, Code)
        )
        assert tagged.pieces("".join(tags[1:])) is None


def test_codes_that_do_not_nest_take_the_order_of_the_source():
    pieces = (
        Code("<b>", "open"),
        "x",
        Code("</b>", "close"),
        Code("<i>", "open"),
        "y",
        Code("</i>", "close"),
    )
    tagged = TaggedText(pieces)
    assert tagged.text == "<g1>x</g1><g4>y</g4>"
    crossed = tagged.pieces("<g1>a<g4>b</g1>c</g4>")
    assert [piece.raw for piece in crossed if isinstance(piece, Code)] == ["<b>", "</b>", "<i>", "</i>"]


@given(st.text("<>/abp &;!-\"'=\n", max_size=60))
def test_any_text_is_html_and_keeps_what_is_no_segment(text: str):
    slots = html_slots(text, Path("a.html"))
    found = Document(Path("a.html"), text, "utf-8", slots)
    assert found.rendered({i: Translation(each.pieces) for i, each in enumerate(found.segments)}) == text
    marked = found.rendered({i: Translation(("X",)) for i in range(len(slots))})
    assert re.sub("[^<>]", "", marked).count("<") <= text.count("<")
