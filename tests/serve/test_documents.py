"""Sentences, markup, languages: nothing is lost, and the right parts are translated."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from demotic.corpus.sentences import split_sentences
from demotic.serve.documents import Document
from demotic.serve.languages import known_code, language_name
from demotic.serve.markup import html_parts

TEXTS = st.text(st.sampled_from("aB1.!?… \n\t\"')(»„。x'"), max_size=60)
MARKUP = st.lists(
    st.sampled_from(
        [
            *[
                "<p>",
                "</p>",
                "<",
                ">",
                "<!--",
                "-->",
                "<script>",
                "</script>",
                "<code>",
                "</code>",
                '"',
                "'",
                "&amp;",
                "&",
                "<br/>",
                "</b>",
                "<?x",
                "<!d",
                "</",
            ],
            *['<a b="', "Ein Haus.", " ", '<b translate="no">', "\n"],
        ]
    )
).map("".join)


@given(TEXTS, st.sampled_from(["de", "en", "zh", "xx"]))
@example("\x1f", "de")
def test_sentences_joined_are_the_line(line: str, language: str):
    pieces = split_sentences(line, language)
    assert "".join(text + space for text, space in pieces) == line
    assert all(text == text.rstrip() and (not space or space.isspace()) for text, space in pieces)


@pytest.mark.parametrize(
    ("line", "language", "sentences"),
    [
        ("Das ist Dr. Müller. Er kommt am 3. Mai.", "de", ["Das ist Dr. Müller.", "Er kommt am 3. Mai."]),
        ('He said: "Go!" Then he left.', "en", ['He said: "Go!"', "Then he left."]),
        ("Mr. J. Smith lives here. Really?! Yes.", "en", ["Mr. J. Smith lives here.", "Really?!", "Yes."]),
        ("We left at 5 p.m. because of him.", "en", ["We left at 5 p.m. because of him."]),
        ("你好。再见！", "zh", ["你好。", "再见！"]),
        ("no end", "en", ["no end"]),
        ("", "en", []),
    ],
)
def test_sentences_end_where_readers_see_it(line: str, language: str, sentences: list[str]):
    assert [text for text, _ in split_sentences(line, language)] == sentences


@given(st.text() | TEXTS)
def test_text_with_its_own_sentences_is_itself(text: str):
    document = Document(text, "de")
    assert document.join(document.sentences) == text
    assert all(sentence.strip() == sentence and sentence for sentence in document.sentences)


@given(MARKUP | st.text())
def test_markup_joined_is_itself(text: str):
    parts = list(html_parts(text))
    assert "".join(part for part, _ in parts) == text
    assert all(first[1] != second[1] for first, second in pairwise(parts))


@given(MARKUP, st.text(max_size=20))
def test_no_translation_becomes_markup(text: str, translation: str):
    """Whatever stands in the place of sentences: markup is what it was."""
    document = Document(text, "de", "html")
    joined = document.join([translation] * len(document.sentences))
    tags = [part for part, is_text in html_parts(text) if not is_text]
    assert [part for part in tags if part not in joined] == []
    assert joined.count("<") <= text.count("<") + text.count("&lt;") + joined.count("&lt;")


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("<p>eins</p> <b>zwei</b>", ["eins", "zwei"]),
        ("<script>eins</script>zwei<style>drei</style>", ["zwei"]),
        ("<script>'</b>' eins</SCRIPT >zwei", ["zwei"]),
        ("<pre>eins<pre>zwei</pre>drei</pre>vier", ["vier"]),
        ("<span class='x notranslate'>eins</span> <span translate=no>zwei</span> drei", ["drei"]),
        ('<a title="a>b">eins</a>', ["eins"]),
        ("<!-- eins --> zwei <!-- drei", ["zwei"]),
        ("a < b &amp; c", ["a < b & c"]),
        ("<br>eins<img src=x>", ["eins"]),
        ("eins <b", ["eins"]),
    ],
)
def test_text_between_tags_is_translated(page: str, texts: list[str]):
    assert Document(page, "de", "html").sentences == texts


def test_languages_have_names_and_regions():
    assert language_name("de") == "German" and language_name("tlh") == "tlh"
    known = ["de", "pt", "pt_BR", "zh"]
    codes = ["de-AT", "DE", "pt-br", "pt_PT", "zh_Hans_CN", "xx", "", "d"]
    assert [known_code(code, known) for code in codes] == [
        "de",
        "de",
        "pt_BR",
        "pt",
        "zh",
        None,
        None,
        None,
    ]


def test_a_code_of_many_parts_is_not_looked_up_part_by_part():
    """Its time would be quadratic: a second for a request of 128 KB, while all others wait."""

    class Counted(str):
        looks = 0

        def rpartition(self, separator: str) -> tuple[str, str, str]:  # type: ignore[override]
            Counted.looks += 1
            return super().rpartition(separator)

        def lower(self) -> Counted:
            return Counted(super().lower())

        def replace(self, *arguments: object) -> Counted:  # type: ignore[override]
            return Counted(super().replace(*arguments))  # type: ignore[arg-type]

    assert known_code(Counted("a-" * 65_000), ["de"]) is None
    assert Counted.looks == 0
