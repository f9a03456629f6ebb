"""The memory-mapped bitext."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.corpus import Bitext, build_bitext
from text_files import put

words = st.lists(st.sampled_from(["a", "ß", "&apos;s", "x\u00a0y", "日"]), min_size=1, max_size=8)


@settings(max_examples=30)
@given(st.lists(st.tuples(words, words, st.randoms(use_true_random=False)), min_size=1, max_size=10))
def test_text_and_links_come_back(tmp_path_factory, corpus):
    folder = tmp_path_factory.mktemp("bitext")
    links = [{(r.randrange(len(s)), r.randrange(len(t))) for _ in range(4)} for s, t, r in corpus]
    source = put(folder, "s", [" ".join(s) for s, _, _ in corpus])
    target = put(folder, "t", [" ".join(t) for _, t, _ in corpus])
    alignment = put(folder, "a", [" ".join(f"{i}-{j}" for i, j in line) for line in links])
    bitext = build_bitext(source, target, alignment, folder / "b")
    assert len(bitext) == len(corpus)
    for n, (s, t, _) in enumerate(corpus):
        assert [bitext.source_vocab.word(w) for w in bitext.source(n)] == s
        assert [bitext.target_vocab.word(w) for w in bitext.target(n)] == t
        assert bitext.links(n).tolist() == [list(link) for link in sorted(links[n])]
    assert bitext.source_words.size == sum(len(s) for s, _, _ in corpus)


def test_views_keep_the_map_alive_and_cannot_be_written(tmp_path: Path):
    path = put(tmp_path, "s", ["a b c"])
    view = build_bitext(path, path, None, tmp_path / "b").source(0)
    assert view.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 5
    assert view.dtype == np.uint32


@pytest.mark.parametrize(
    ("links", "line", "message"),
    [
        (["0-0", "0-0 7-0"], 2, "alignment link 7-0 is out of range"),
        (["0-0", "0:0"], 2, "'0:0' is not an alignment link"),
        (["0-0"], 2, "text and alignment differ in length from here on"),
        (["0-0", "0-0", "0-0"], 3, "text and alignment differ in length from here on"),
    ],
)
def test_bad_links_have_a_line(tmp_path: Path, links: list[str], line: int, message: str):
    text = put(tmp_path, "t", ["a b", "c"])
    with pytest.raises(DemoticError) as caught:
        build_bitext(text, text, put(tmp_path, "a", links), tmp_path / "b")
    assert caught.value.message.startswith(message)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "a"), line)
    assert not (tmp_path / "b").exists()


def test_foreign_and_truncated_files(tmp_path: Path):
    text = put(tmp_path, "t", ["a b", "c"])
    with pytest.raises(DemoticError, match="not a Demotic binary file"):
        Bitext(str(text))
    build_bitext(text, text, None, tmp_path / "b")
    (tmp_path / "cut").write_bytes((tmp_path / "b").read_bytes()[:-1])
    with pytest.raises(DemoticError, match=r"cut: truncated: \d+ of \d+ bytes"):
        Bitext(str(tmp_path / "cut"))


def test_full_disk(tmp_path: Path):
    text = put(tmp_path, "t", ["a b", "c"] * 2000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        with pytest.raises(DemoticError, match="File too large\n  hint: `ulimit -f`"):
            build_bitext(text, text, None, tmp_path / "b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["t"]
