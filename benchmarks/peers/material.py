"""What all tools work on: a part of the embedded corpus, prepared by Demotic, so that anybody has the same."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from demotic.base.files import atomic_write, read_lines
from demotic.corpus.embedded import EmbeddedOptions, write

DEMOTIC = [sys.executable, "-m", "demotic"]
WEIGHTS = "LanguageModel 1\nEgivenFCoherent -0.3\nMaxLexFgivenE -0.2\nMaxLexEgivenF -0.2\nWordPenalty -2\nGlue -0.3\nPassThrough -3\n"
CDEC_INI = """formalism=scfg
add_pass_through_rules=true
scfg_max_span_limit=15
cubepruning_pop_limit=200
feature_function=KLanguageModel {lm}
feature_function=WordPenalty
"""


@dataclass(frozen=True)
class Material:
    """Files in one folder: tokenised text, links, language model, index, sentences with grammars, weights."""

    folder: Path

    def __getattr__(self, name: str) -> str:
        """Path of a file by its name, with `_` for the point: `train_src`."""
        return str(self.folder / name.replace("_", "."))


def make_material(folder: Path, pairs: int, sentences: int, text: Path | None = None) -> Material:
    """Write everything that the tasks read; not a part of what is measured.

    Args:
        folder: for all files.
        pairs: of the embedded corpus.
        sentences: to extract grammars for and to decode.
        text: what language models are made of; default: the target side of the pairs.
    """
    write(folder, EmbeddedOptions(train=pairs, dev=sentences, devtest=1, test=1))
    made = Material(folder)
    _demotic("prepare", "--src", made.train_de, "--tgt", made.train_en, "--out", folder)
    source, target = (Path(made.train_src), Path(made.train_tgt))
    _demotic("align", "run", "--src", source, "--tgt", target, "--out", made.train_align)
    _demotic("lm", "train", target, "--order", "3", "--out", made.lm_arpa)
    _demotic("lm", "train", target, "--order", "3", "--out", made.lm_bin)
    with atomic_write(made.lm_text) as file:
        file.writelines(f"{line}\n" for line in read_lines(text or target))
    _demotic("lm", "train", made.lm_text, "--order", "3", "--out", made.text_arpa)
    pairs_of_lines = zip(
        source.read_text("utf-8").splitlines(), target.read_text("utf-8").splitlines(), strict=True
    )
    joined = [f"{one} ||| {other}" for one, other in pairs_of_lines]
    (folder / "train.both").write_text("\n".join(joined) + "\n", "utf-8")
    _demotic(
        "grammar",
        "index",
        "--src",
        source,
        "--tgt",
        target,
        "--align",
        made.train_align,
        "--out",
        made.index_bin,
    )
    (folder / "input.src").write_text(
        "\n".join(source.read_text("utf-8").splitlines()[:sentences]) + "\n", "utf-8"
    )
    segments = _demotic(
        "grammar", "extract", made.index_bin, "--input", made.input_src, "--out", folder / "grammars"
    )
    (folder / "input.sgm").write_text(segments, "utf-8")
    (folder / "weights.txt").write_text(WEIGHTS, "utf-8")
    (folder / "cdec.ini").write_text(CDEC_INI.format(lm=made.lm_arpa), "utf-8")
    return made


def _demotic(*arguments: str | Path) -> str:
    return subprocess.run(
        [*DEMOTIC, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ).stdout
