"""Text that passes through preparation and back to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.corpus import PrepareOptions, Preprocessor
from demotic.corpus.verbatim import Verbatim, is_stand_in, nests, shown, stand_in


@given(
    st.text("a€< \t\n\xa0\u3000\U000f0000\U00100000\U00100002", min_size=1),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_a_verbatim_word_carries_any_text(text, is_code, left, right):
    verbatim = Verbatim(text, is_code, left, right)
    word = verbatim.word()
    assert Verbatim.read(word) == verbatim
    assert not any(character.isspace() for character in word)
    assert shown(word) == text


@given(st.text("a \U000f0000\U00100000\U00100004"))
def test_other_words_are_left_alone(word):
    if not word.startswith(("\U00100000", "\U00100001")):
        assert Verbatim.read(word) is None
        assert shown(word) == word


@pytest.mark.parametrize("language", ["de", "en", "fr", "fi", "cs", "zh", "ja"])
@pytest.mark.parametrize("case", ["lower", "true", "keep"])
def test_stand_ins_remain_words_of_their_own(language, case):
    preprocessor = Preprocessor(PrepareOptions(source_language=language, case=case))
    text = f"Das ( {stand_in(0)} ), {stand_in(1)} Haus. {stand_in(65533)} 中 {stand_in(2)} 5 % {stand_in(3)} ' {stand_in(4)}"
    words = preprocessor.words(text, "source")
    assert [word for word in words if is_stand_in(word)] == [stand_in(i) for i in (0, 1, 65533, 2, 3, 4)]


def word(text: str, **options: bool) -> str:
    return Verbatim(text, **options).word()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            [word("<b>", glued_right=True), "the", "house", word("</b>", glued_left=True), "."],
            "<b>The house</b>.",
        ),
        (["(", word("%s"), ")", "is", "&quot;", word("a  b"), "&quot;"], '(%s) is "a  b"'),
        ([word("%s"), "is", "here"], "%s is here"),
        ([word("house", is_code=False), "and", word("iPhone", is_code=False)], "House and iPhone"),
        ([word("iPhone", is_code=False), "sold"], "iPhone sold"),
        ([word("<i>"), word("house", is_code=False), word("</i>")], "<i> House </i>"),
        ([word("x", glued_left=True, glued_right=True)], "x"),
        ([word("\U000f0000\U00100002")], "\U000f0000\U00100002"),
    ],
)
def test_restoring_puts_the_text_back(words, text):
    assert Preprocessor(PrepareOptions()).restore(words) == text


def test_words_behind_a_tag_begin_a_sentence():
    from demotic.corpus.casing import CasingModel

    assert CasingModel(["das"]).truecase([stand_in(0), "Das", "Haus"]) == [stand_in(0), "das", "Haus"]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("<b> </b>", True),
        ("</b> <b>", False),
        ("<b> <i> </i> </b>", True),
        ("<b> <i> </b> </i>", False),
        ("<br> <b> </b> <img/>", True),  # void elements close nothing
        ("</p> <b> </b>", True),  # opened before this text
        ("<i> </i> <i> </i>", True),
        ("<i> </i> </i> <i>", False),
    ],
)
def test_what_nests(tags: str, expected: bool):
    assert nests(tags.split()) == expected


def test_tags_that_do_not_nest_take_the_order_of_the_source():
    tags = ["<b>", "<i>", "</i>", "</b>", "%s"]
    words = {tag: Verbatim(tag, place=place).word() for place, tag in enumerate(tags)}
    plain = Preprocessor(PrepareOptions(tokenized=True))

    def restored(text: str) -> str:
        return plain.restore([words.get(word, word) for word in text.split()])

    assert restored("a </i> b %s <b> c </b> d <i>") == "a <b> b %s <i> c </i> d </b>"
    for kept in ("<b> a <i> b </i> c </b> %s", "%s <i> a <b> b </b> </i>"):
        assert restored(kept) == kept
