"""Our own aligner: the same bytes on any machine, saved models, and text that is not nice."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest

from demotic.align import AlignmentModel, AlignOptions, align, align_with, score_alignment
from demotic.align.pharaoh import read_links
from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
from text_files import put

QUICK = AlignOptions(samplers=1, iterations=0.1)


def shuffled_pairs(count: int, words: int = 60) -> tuple[list[str], list[str], list[str]]:
    """Sentences of 3 to 8 words, each word with one translation, neighbours swapped now and then; and their links."""
    draw = random.Random(4)
    source, target, links = [], [], []
    for _ in range(count):
        sentence = draw.sample(range(words), draw.randint(3, 8))
        order = list(range(len(sentence)))
        at = draw.randrange(len(order) - 1)
        order[at], order[at + 1] = order[at + 1], order[at]
        source.append(" ".join(f"s{word}" for word in sentence))
        target.append(" ".join(f"t{sentence[i]}" for i in order))
        links.append(" ".join(f"{i}-{j}" for i, j in sorted((i, j) for j, i in enumerate(order))))
    return source, target, links


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """A folder with text (src, tgt), its links (al, p) and the saved model (align.bin); 50 pairs are left out (new.*)."""
    folder = tmp_path_factory.mktemp("gibbs")
    source, target, links = shuffled_pairs(350)
    for name, lines in (("src", source), ("tgt", target), ("gold", links)):
        put(folder, name, lines[:300])
        put(folder, f"new.{name}", lines[300:])
    align(
        folder / "src",
        folder / "tgt",
        folder / "al",
        AlignOptions(),
        workers=2,
        model=folder / "align.bin",
        probabilities=folder / "p",
    )
    return folder


def test_a_corpus_is_aligned_and_so_are_new_pairs(trained: Path):
    assert score_alignment(trained / "gold", trained / "al").aer < 0.02
    model = AlignmentModel(trained / "align.bin")
    align_with(
        model, trained / "new.src", trained / "new.tgt", trained / "new.al", probabilities=trained / "new.p"
    )
    assert score_alignment(trained / "new.gold", trained / "new.al").aer < 0.02
    for links, probabilities in (("al", "p"), ("new.al", "new.p")):
        rows = zip(
            read_links(trained / links), (trained / probabilities).read_text().splitlines(), strict=True
        )
        for (found, _), line in rows:
            values = np.array(line.split(), dtype=float)
            assert len(values) == len(found) and np.all((values >= 0) & (values <= 1))


@pytest.mark.parametrize("threads", [1, 4, 500])
def test_threads_do_not_change_a_byte(trained: Path, tmp_path: Path, threads):
    """500: more than pairs."""
    align(
        trained / "src",
        trained / "tgt",
        tmp_path / "al",
        AlignOptions(),
        workers=threads,
        model=tmp_path / "align.bin",
        probabilities=tmp_path / "p",
    )
    for name in ("al", "p", "align.bin"):
        assert (tmp_path / name).read_bytes() == (trained / name).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "al",
        "align.bin",
        "p",
    ]  # nothing else is left


def test_seeds_differ(trained: Path, tmp_path: Path):
    """Where sentences do not translate each other, links are a matter of chance."""
    target = put(tmp_path, "t", (trained / "tgt").read_text("utf-8").splitlines()[::-1])
    for seed in (1, 2):
        align(trained / "src", target, tmp_path / f"al{seed}", QUICK, seed=seed)
    assert (tmp_path / "al1").read_bytes() != (tmp_path / "al2").read_bytes()


def test_a_new_pair_is_aligned_the_same_whatever_came_before(trained: Path):
    model, other = AlignmentModel(trained), AlignmentModel(trained / "align.bin")
    first = model.align("s1 s2 new", "t2 t1 neu")
    other.align("s5", "t7 t8")
    assert other.align("s1 s2 new", "t2 t1 neu") == first
    assert set(first.links) == {(0, 1), (1, 0), (2, 2)}  # unknown words go together
    with pytest.raises(DemoticError, match="the target sentence is empty"):
        model.align("s1", " ")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (["a"], ["b"]),
        (["a b c"] * 3, ["a b c"] * 3),  # identical sides
        (["a " * 500], ["b " * 500]),
        ([" ".join(f"s{i}" for i in range(500))], [" ".join(f"t{i}" for i in range(500))]),
        (["a b"], ["c " * 300]),
    ],
    ids=["one pair of one word", "identical", "500 times one word", "500 words", "lopsided"],
)
def test_odd_pairs(tmp_path: Path, source, target):
    out = tmp_path / "al"
    align(put(tmp_path, "s", source), put(tmp_path, "t", target), out, QUICK, workers=8, model=tmp_path / "m")
    for line, (found, _) in enumerate(read_links(out)):
        assert all(i < len(source[line].split()) and j < len(target[line].split()) for i, j in found)
    AlignmentModel(tmp_path / "m").align(source[0], target[0])


def test_a_sentence_aligned_with_itself(tmp_path: Path):
    source, _, _ = shuffled_pairs(100)
    text = put(tmp_path, "s", source)
    align(text, text, tmp_path / "al", AlignOptions())
    gold = put(tmp_path, "gold", [" ".join(f"{i}-{i}" for i in range(len(line.split()))) for line in source])
    assert score_alignment(gold, tmp_path / "al").aer < 0.01


def test_a_large_vocabulary_in_few_sentences(tmp_path: Path):
    """Every word is new: nothing to learn, and no table of all words against all words."""
    source = [" ".join(f"s{10 * n + i}" for i in range(10)) for n in range(2000)]
    target = [line.replace("s", "t") for line in source]
    align(put(tmp_path, "s", source), put(tmp_path, "t", target), tmp_path / "al", QUICK)
    assert len(read_links(tmp_path / "al")) == 2000


def test_empty_sides_are_refused(tmp_path: Path, trained: Path):
    source, target = put(tmp_path, "s", ["a", ""]), put(tmp_path, "t", ["b", "c"])
    with pytest.raises(DemoticError, match="s:2: empty line"):
        align(source, target, tmp_path / "al", AlignOptions())
    with pytest.raises(DemoticError, match="s:2: empty line"):
        align_with(AlignmentModel(trained), source, target, tmp_path / "al")
    empty = put(tmp_path, "e", [])
    with pytest.raises(DemoticError, match="e: the file is empty"):
        align(empty, empty, tmp_path / "al", AlignOptions())
    with pytest.raises(DemoticError, match="e: the file is empty"):
        align_with(AlignmentModel(trained), empty, empty, tmp_path / "al")
    assert not (tmp_path / "al").exists()


def test_a_model_of_other_languages_is_told(trained: Path, tmp_path: Path):
    source = put(tmp_path, "s", ["quelque chose", "d' autre"])
    with pytest.warns(DemoticWarning, match="100% of the words are not in .* other languages"):
        align_with(AlignmentModel(trained), source, source, tmp_path / "out")


def test_words_with_no_break_spaces_are_known(tmp_path: Path, recwarn: pytest.WarningsRecorder):
    text = put(tmp_path, "text", ["a\u00a0b", "c\u00a0d"])
    align(text, text, tmp_path / "al", QUICK, model=tmp_path / "m")
    align_with(AlignmentModel(tmp_path / "m"), text, text, tmp_path / "out")
    assert not [each for each in recwarn if "of the words are not in" in str(each.message)]


def test_damaged_models_are_refused(trained: Path, tmp_path: Path):
    with pytest.raises(DemoticError, match=r"no align\.bin"):
        AlignmentModel(tmp_path)
    whole = (trained / "align.bin").read_bytes()
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DemoticError, match="half"):
        AlignmentModel(tmp_path / "half")
    put(tmp_path, "text", ["0-0"])
    with pytest.raises(DemoticError, match="text"):
        AlignmentModel(tmp_path / "text")


def test_wrong_options_are_refused(tmp_path: Path, trained: Path):
    with pytest.raises(DemoticError, match="samplers must be between 1 and 100"):
        AlignOptions(samplers=0)
    with pytest.raises(DemoticError, match="iterations must be positive"):
        AlignOptions(iterations=0)
    with pytest.raises(DemoticError, match="neither saves a model"):
        align(trained / "src", trained / "tgt", tmp_path / "al", AlignOptions("hmm"), model=tmp_path / "m")


def test_other_aligners_are_an_extra(trained: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DemoticError, match="needs sil-thot") as caught:
        align(trained / "src", trained / "tgt", tmp_path / "al", AlignOptions("eflomal"))
    assert "pip install 'demotic[aligners]'" in str(caught.value.hint)
