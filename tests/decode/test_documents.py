"""Files translated with a model: codes and placeholders survive exactly once, what needs no translation is copied."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest

from demotic.base import DemoticError
from demotic.cli.translate_files import translate_files
from demotic.corpus.formats import Document, Segment, Translation, read_document
from demotic.corpus.formats.document import Slot
from demotic.corpus.formats.segment import BREAK, Code, Pieces
from demotic.decode import KBest, TranslationModel
from demotic.decode.documents import NO_REVIEW, REVIEW_ALL, Review, translate_document


@pytest.fixture(scope="module")
def model(model_folder: Path) -> TranslationModel:
    return TranslationModel(model_folder)


@pytest.fixture(scope="module")
def sentence(corpus: Path) -> str:
    return (corpus / "dev.de").read_text("utf-8").splitlines()[0].rstrip(".")


def translated(model: TranslationModel, *pieces: str | Code) -> Pieces:
    slot = Slot(Segment(pieces, 1), lambda translation: [])
    return translate_document(model, Document(Path("x"), "", "utf-8", [slot]), threads=1)[0].pieces


def test_codes_and_placeholders_come_out_once(model: TranslationModel, sentence: str):
    words = sentence.split()
    bold, end, image = Code("<b>", "open"), Code("</b>", "close"), Code("<img/>")
    found = translated(
        model,
        f"{words[0]} ",
        bold,
        " ".join(words[1:]),
        end,
        f" %(name)s http://a.b/c {image.raw} ",
        image,
        ".",
    )
    codes = [piece for piece in found if isinstance(piece, Code)]
    assert sorted(code.raw for code in codes) == ["</b>", "<b>", "<img/>"]
    assert codes.index(bold) < codes.index(end)
    text = "".join(piece for piece in found if isinstance(piece, str))
    assert [text.count(kept) for kept in ("%(name)s", "http://a.b/c", "<img/>")] == [1, 1, 1]


def test_plain_text_is_translated_as_lines_are(model: TranslationModel, corpus: Path):
    lines = (corpus / "dev.de").read_text("utf-8").splitlines()[:3]
    expected = list(model.translate(lines, threads=1))
    assert translated(model, " ".join(lines)) == (" ".join(expected),)
    assert translated(model, lines[0], Code(BREAK), lines[1]) == (expected[0], Code(BREAK), expected[1])


def test_a_small_first_letter_stays_small(model: TranslationModel, sentence: str):
    large, small = translated(model, sentence)[0], translated(model, sentence[0].lower() + sentence[1:])[0]
    assert large[0].isupper()
    assert small.lower() == large.lower()
    assert small[0].islower()


def test_text_without_words_is_copied(model: TranslationModel):
    assert translated(model, "%s: 5 https://a.b/c") == ("%s: 5 https://a.b/c",)


def test_files(model: TranslationModel, tmp_path: Path, sentence: str):
    (tmp_path / "a.po").write_text(f'msgid "{sentence} %s"\nmsgstr ""\n\nmsgid "x"\nmsgstr "y"\n', "utf-8")
    (tmp_path / "a.html").write_text(f"<p>{sentence} &amp; <i>5</i></p>", "utf-8")
    translate_files(model, [tmp_path / "a.po", tmp_path / "a.html"], tmp_path / "out", REVIEW_ALL, 1)
    first, second = polib.pofile(str(tmp_path / "out" / "a.po"))
    assert first.fuzzy
    assert first.msgstr.count("%s") == 1
    assert (second.msgstr, second.fuzzy) == ("y", False)
    assert re.fullmatch(r"<p>.*&amp;.*<i>5</i>.*</p>", (tmp_path / "out" / "a.html").read_text("utf-8"))
    translate_files(model, [tmp_path / "a.html"], None, NO_REVIEW, 1)
    assert (tmp_path / "a.en.html").read_text("utf-8") == (tmp_path / "out" / "a.html").read_text("utf-8")


def test_one_doubtful_sentence_makes_its_segment_one_to_check(
    model: TranslationModel, tmp_path: Path, sentence: str
):
    (tmp_path / "a.txt").write_text(f"{sentence}.\n\n{sentence}. Xyz http://a.b?\n", "utf-8")
    document = read_document(tmp_path / "a.txt", "de", "en")
    seen = []

    def doubtful(text: str, kbest: KBest) -> bool:
        seen.append((text.split(), len(kbest.scores) > 1))
        return "Xyz" in text

    found = translate_document(model, document, 1, Review(doubtful, length=2))
    assert [found[i].unsure for i in range(2)] == [False, True]
    assert seen[-1] == (["Xyz", "?"], False)  # what is kept to the letter is not judged
    assert seen[0][1]


def test_files_are_not_overwritten(model: TranslationModel, tmp_path: Path):
    (tmp_path / "b").mkdir()
    for place in (tmp_path / "a.txt", tmp_path / "b" / "a.txt"):
        place.write_text("Haus\n")
    with pytest.raises(DemoticError, match="would overwrite the original"):
        translate_files(model, [tmp_path / "a.txt"], tmp_path, NO_REVIEW, 1)
    with pytest.raises(DemoticError, match="two files would be written to"):
        translate_files(model, [tmp_path / "a.txt", tmp_path / "b" / "a.txt"], tmp_path / "out", NO_REVIEW, 1)


def test_nothing_to_translate_changes_nothing(model: TranslationModel, tmp_path: Path):
    (tmp_path / "a.po").write_text('msgid "a"\nmsgstr "b"\n')
    document = read_document(tmp_path / "a.po", "de", "en")
    assert translate_document(model, document) == {}
    assert document.rendered({}) == 'msgid "a"\nmsgstr "b"\n'
    assert Translation(("x",)).unsure is False
