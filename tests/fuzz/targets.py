"""What is fuzzed: each reader, with a good file to begin with, and what is done with the result."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from inner_targets import INNER_TARGETS
from target import Target

from demotic.align import AlignmentModel
from demotic.align.pharaoh import read_links
from demotic.corpus import Bitext, Preprocessor, read_pairs
from demotic.corpus.casing import CasingModel
from demotic.corpus.formats import Translation, read_document
from demotic.decode import Hypergraph, TranslationModel
from demotic.features import Bins, FeatureGroups, Weights
from demotic.grammar import GrammarIndex
from demotic.grammar.cdec_format import read_grammar, read_segments
from demotic.lm import LanguageModel
from section_files import without_checksums

_SENTENCE = "der alte mann sieht das haus ."
_TEXTS = {
    "po": 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#, c-format\nmsgid "a %s\\n"\nmsgid_plural "b"\n'
    'msgstr[0] ""\nmsgstr[1] ""\n\n#~ msgid "old"\n#~ msgstr "x"\n\nmsgctxt "m"\nmsgid "Open"\nmsgstr "Auf"\n',
    "xliff": '<?xml version="1.0" encoding="utf-8"?>\n<xliff version="1.2"><file><body><trans-unit id="1"><source>Go <g id="1">x &amp;'
    ' y</g><x id="2"/></source><target/></trans-unit></body></file></xliff>',
    "tmx": '<?xml version="1.0"?>\n<tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>a <ph>x</ph> b</seg></tuv><tuv xml:lang="de">'
    "<seg>c</seg></tuv></tu><tu><tuv xml:lang='en'><seg>d</seg></tuv></tu></body></tmx>",
    "tsv": "a b\tc d\ne f\t\ng\t\th\n",
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n<i>One</i>\ntwo\n\n2\n00:00:03,000 --> 00:00:04,000\n- a\n- b\n",
    "html": "<!doctype html><html><head><title>T</title></head><body><p>a <b>b &amp; c</b><br>d</p><pre>x</pre><!-- y -->"
    "<ul><li>e<li><code>f</code></ul></body></html>",
    "md": "---\na: b\n---\n# A *b*\n\nc `d` [e](http://f.g) \\* <i>h</i>\n> i\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nx\n```\n- j\n",
    "txt": "A b\nc d.\n\n  - e\n",
}


def _file(name: str) -> Callable[[Path], bytes]:
    return lambda model: (model / name).read_bytes()


def _text(kind: str) -> Callable[[Path], bytes]:
    return lambda model: _TEXTS[kind].encode()


def _read_document(path: Path, model: Path) -> None:
    document = read_document(path, "en", "de")
    document.rendered({i: Translation(("x & <y>",), True) for i in range(len(document.slots))})


def _read_lm(path: Path, model: Path) -> None:
    LanguageModel.load(path).score(["das", "haus", "xyz"])


def _read_index(path: Path, model: Path) -> None:
    index = GrammarIndex(path, _model(model).options.grammar)
    list(index.grammar(_SENTENCE))


@cache
def _model(folder: Path) -> TranslationModel:
    return TranslationModel(folder)


def _packed(model: Path) -> bytes:
    return _model(model).decoder.decode(_SENTENCE).pack()


def _graph(model: Path) -> bytes:
    path = model / "fuzz.graph"
    _model(model).decoder.decode(_SENTENCE).save(path)
    return path.read_bytes()


def _read_model_toml(path: Path, model: Path) -> None:
    folder = path.parent / "model"
    folder.mkdir(exist_ok=True)
    for name in ("lm.bin", "index.bin", "weights.txt"):
        if not (folder / name).exists():
            (folder / name).symlink_to(model / name)
    (folder / "model.toml").write_bytes(path.read_bytes())
    Preprocessor.load(folder)
    TranslationModel(folder)


def _weights_bin(model: Path) -> bytes:
    path = model / "fuzz.weights.bin"
    Weights.load(model / "weights.txt").save(path)
    return path.read_bytes()


def _unchecked(seed: Callable[[Path], bytes]) -> Callable[[Path], bytes]:
    return lambda model: without_checksums(seed(model))


def _links(model: Path) -> bytes:
    return b"0-0 1-1 2?2\n\n0-1 1-0\n"


def _cdec(model: Path) -> bytes:
    return b"[X] ||| das [X,1] ||| the [X,1] ||| EgivenFCoherent=0.5 CountEF=1 ||| 0-0\n[X] ||| haus ||| house ||| A=1\n"


TARGETS = [
    *(Target(f"{kind} document", _text(kind), _read_document, f".{kind}") for kind in _TEXTS),
    *(
        Target(
            f"{kind} pairs", _text(kind), lambda path, model: list(read_pairs(path, "en", "de")), f".{kind}"
        )
        for kind in ("po", "tmx", "tsv")
    ),
    Target("bitext", _file("run/bitext/bitext.bin"), lambda path, model: len(Bitext(str(path)))),
    Target("lm.bin", _file("lm.bin"), _read_lm),
    Target("arpa", lambda model: _ARPA, _read_lm, ".arpa"),
    Target("index.bin", _file("index.bin"), _read_index),
    Target(
        "align.bin",
        _file("align.bin"),
        lambda path, model: AlignmentModel(path).align("das haus", "the house"),
    ),
    Target("weights.txt", _file("weights.txt"), lambda path, model: Weights.load(path), ".txt"),
    Target(
        "groups.txt",
        lambda model: b"id:haus|house\t1\nid:a|b\t2\nid:c|d\t1\n",
        lambda path, model: FeatureGroups.load(path),
        ".txt",
    ),
    Target("bins.toml", lambda model: _BINS, lambda path, model: Bins.load(path), ".toml"),
    Target("casing table", _file("casing.target.txt"), lambda path, model: CasingModel.load(path), ".txt"),
    Target("hypergraph", _graph, lambda path, model: Hypergraph.load(path).viterbi()),
    Target(
        "packed forest",
        _packed,
        lambda path, model: _model(model).decoder.unpack(path.read_bytes(), _SENTENCE),
    ),
    Target("model.toml", _file("model.toml"), _read_model_toml, ".toml"),
    Target("cdec grammar", _cdec, lambda path, model: list(read_grammar(path)), ".txt"),
    Target(
        "seg lines",
        lambda model: b'<seg grammar="g.0" id="0"> a b </seg> ||| c\n',
        lambda path, model: list(read_segments(path)),
        ".sgm",
    ),
    Target("links", _links, lambda path, model: read_links(path), ".txt"),
    Target("weights.bin", _weights_bin, lambda path, model: Weights.load(path)),
    *INNER_TARGETS,
]
# Checksums refuse nearly all damage. Files from before there were any are read without.
TARGETS += [
    Target(f"{target.name} without checksums", _unchecked(target.seed), target.read)
    for target in TARGETS
    if target.name in ("bitext", "lm.bin", "index.bin", "align.bin", "hypergraph", "weights.bin")
]
_BINS = b'overlap = true\nreal = ["A"]\nleft_out = ["CountEF"]\n[bins.CountEF]\nlow = [0.5, 1.0]\nhigh = [0.75, 1.5]\n'
_ARPA = (
    b"\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1.0\t<unk>\n-0.5\t</s>\n-99\t<s>\t-0.3\n-0.7\tdas\t-0.2\n\n"
    b"\\2-grams:\n-0.1\t<s> das\n-0.2\tdas </s>\n\n\\end\\\n"
)
