"""The same work as command lines of Demotic and of another tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.material import DEMOTIC, Material


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
    """All of them; those whose programs are missing have empty paths and are not run."""
    at = {
        name: peers.get(name, name)
        for name in ("lmplz", "query", "fast_align", "eflomal-align", "cdec", "sacompile", "extract")
    }
    return [*_language_models(made, at), *_aligners(made, at), *_grammars(made, at)]


def _ours(*arguments: str, stdout: str | None = None) -> Command:
    return Command([*DEMOTIC, *arguments], stdout=stdout)


def _language_models(made: Material, at: Mapping[str, str]) -> list[Task]:
    text, arpa = made.train_tgt, made.lm_arpa
    return [
        Task(
            "5-gram language model to ARPA",
            ("lmplz",),
            [_ours("lm", "train", text, "--order", "5", "--out", made.ours_arpa)],
            [Command([at["lmplz"], "-o", "5", "--discount_fallback"], text, made.theirs_arpa)],
        ),
        Task(
            "perplexity of the training text, model from ARPA",
            ("query",),
            [_ours("lm", "score", arpa, text, stdout=made.ours_scores)],
            [Command([at["query"], "-v", "summary", arpa], text, made.theirs_scores)],
        ),
    ]


def _aligners(made: Material, at: Mapping[str, str]) -> list[Task]:
    ours = [
        _ours(
            "align",
            "run",
            "--src",
            made.train_src,
            "--tgt",
            made.train_tgt,
            "--out",
            made.ours_align,
            "--threads",
            "1",
        )
    ]
    fast = [at["fast_align"], "-i", made.train_both, "-d", "-o", "-v"]
    eflomal = [
        at["eflomal-align"],
        "-i",
        made.train_both,
        "-f",
        made.forward_align,
        "-r",
        made.reverse_align,
        "--overwrite",
    ]
    return [
        Task(
            "word alignment, both directions: fast_align",
            ("fast_align",),
            ours,
            [Command(fast, stdout=made.forward_align), Command([*fast, "-r"], stdout=made.reverse_align)],
            "ours also symmetrises",
        ),
        Task(
            "word alignment, both directions: eflomal",
            ("eflomal-align",),
            ours,
            [Command(eflomal)],
            "ours also symmetrises",
        ),
    ]


def _grammars(made: Material, at: Mapping[str, str]) -> list[Task]:
    index = [
        "--src",
        made.train_src,
        "--tgt",
        made.train_tgt,
        "--align",
        made.train_align,
        "--out",
        made.ours_index,
    ]
    compiled = Path(made.cdec_index)
    decode = [
        "decode",
        "--input",
        made.input_sgm,
        "--lm",
        made.lm_arpa,
        "--weights",
        made.weights_txt,
        "--kbest",
        "100",
    ]
    return [
        Task(
            "index the corpus",
            ("sacompile",),
            [_ours("grammar", "index", *index)],
            [
                Command(
                    [
                        at["sacompile"],
                        "-a",
                        made.train_align,
                        "-b",
                        made.train_both,
                        "-o",
                        str(compiled),
                        "-c",
                        made.extract_ini,
                    ]
                )
            ],
        ),
        Task(
            "grammars of the sentences, as files",
            ("extract", "sacompile"),
            [
                _ours(
                    "grammar",
                    "extract",
                    made.index_bin,
                    "--input",
                    made.input_src,
                    "--out",
                    made.ours_grammars,
                    stdout=made.ours_sgm,
                )
            ],
            [
                Command(
                    [at["extract"], "-c", made.extract_ini, "-g", made.theirs_grammars, "-t", "1"],
                    made.input_src,
                    made.theirs_sgm,
                )
            ],
        ),
        Task(
            "100-best lists of the sentences, one thread",
            ("cdec",),
            [_ours(*decode, "--unique", "--threads", "1", stdout=made.ours_lists)],
            [
                Command(
                    [at["cdec"], "-c", made.cdec_ini, "-w", made.weights_txt, "-k", "100", "-r"],
                    made.input_sgm,
                    made.theirs_lists,
                )
            ],
        ),
    ]
