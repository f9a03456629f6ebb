"""The same work as command lines of Demotic and of another tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.peers.material import DEMOTIC, Material
from benchmarks.peers.programs import PEERS


@dataclass(frozen=True)
class Command:
    """A program with its arguments; standard input and output are files."""

    arguments: Sequence[str]
    stdin: str | None = None
    stdout: str | None = None


@dataclass(frozen=True)
class Task:
    """What is done, by which program of the peers, and how both sides do it.

    Attributes:
        needs: programs that must be there.
        note: where the two do not do quite the same.
    """

    name: str
    needs: tuple[str, ...]
    ours: Sequence[Command]
    theirs: Sequence[Command]
    note: str = ""


def tasks(made: Material, peers: Mapping[str, str]) -> list[Task]:
    """All of them; those whose programs are missing are not run."""
    at = {name: peers.get(name, name) for name in PEERS}
    return [
        *_language_models(made, at),
        *_aligners(made, at),
        _indexing(made, at),
        _extraction(made, at),
        _decoding(made, at),
    ]


def _ours(*words: str, stdout: str | None = None, **options: str) -> Command:
    """`demotic WORDS --option value ...`."""
    named = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Command([*DEMOTIC, *words, *named], stdout=stdout)


def _language_models(made: Material, at: Mapping[str, str]) -> list[Task]:
    text, arpa = made.lm_text, made.text_arpa
    # By default lmplz clears 80% of the machine's memory, which takes longer than a small text.
    lmplz = [at["lmplz"], "-o", "5", "--discount_fallback", "-S", "1G", "-T", str(made.folder)]
    return [
        Task(
            "5-gram language model to ARPA",
            ("lmplz",),
            [_ours("lm", "train", text, order="5", out=made.ours_arpa)],
            [Command(lmplz, text, made.theirs_arpa)],
        ),
        Task(
            "perplexity of the training text, 3-gram model from ARPA",
            ("query",),
            [_ours("lm", "score", arpa, text, stdout=made.ours_scores)],
            [Command([at["query"], "-v", "summary", arpa], text, made.theirs_scores)],
        ),
    ]


def _aligners(made: Material, at: Mapping[str, str]) -> list[Task]:
    ours = _ours("align", "run", src=made.train_src, tgt=made.train_tgt, out=made.ours_align, threads="1")
    forward, reverse = made.forward_align, made.reverse_align
    fast = [at["fast_align"], "-i", made.train_both, "-d", "-o", "-v"]
    eflomal = [at["eflomal-align"], "-i", made.train_both, "-f", forward, "-r", reverse, "--overwrite"]
    return [
        Task(
            "word alignment, both directions: fast_align",
            ("fast_align",),
            [ours],
            [Command(fast, stdout=forward), Command([*fast, "-r"], stdout=reverse)],
            "ours also symmetrises",
        ),
        Task(
            "word alignment, both directions: eflomal",
            ("eflomal-align",),
            [ours],
            [Command(eflomal)],
            "ours also symmetrises",
        ),
    ]


def _indexing(made: Material, at: Mapping[str, str]) -> Task:
    text = {"src": made.train_src, "tgt": made.train_tgt, "align": made.train_align}
    theirs = [at["sacompile"], "-a", made.train_align, "-b", made.train_both]
    return Task(
        "index the corpus",
        ("sacompile",),
        [_ours("grammar", "index", **text, out=made.ours_index)],
        [Command([*theirs, "-o", made.cdec_index, "-c", made.extract_ini])],
    )


def _extraction(made: Material, at: Mapping[str, str]) -> Task:
    files = {"input": made.input_src, "out": made.ours_grammars}
    theirs = [at["extract"], "-c", made.extract_ini, "-g", made.theirs_grammars, "-t", "1"]
    return Task(
        "grammars of the sentences, as files",
        ("extract", "sacompile"),  # the latter writes extract.ini
        [_ours("grammar", "extract", made.index_bin, **files, stdout=made.ours_sgm)],
        [Command(theirs, made.input_src, made.theirs_sgm)],
    )


def _decoding(made: Material, at: Mapping[str, str]) -> Task:
    files = {"input": made.input_sgm, "lm": made.lm_arpa, "weights": made.weights_txt}
    theirs = [at["cdec"], "-c", made.cdec_ini, "-w", made.weights_txt, "-k", "100", "-r"]
    return Task(
        "100-best lists of the sentences, one thread",
        ("cdec",),
        [_ours("decode", "--unique", **files, kbest="100", threads="1", stdout=made.ours_lists)],
        [Command(theirs, made.input_sgm, made.theirs_lists)],
    )
