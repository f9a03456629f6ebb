"""Decoding: CPU seconds for the golden sentences against cdec's cost, with dense and with sparse features."""

from __future__ import annotations

import lzma
import time
from pathlib import Path

from rich.console import Console

from benchmarks import measure
from demotic.cli.common import table
from demotic.decode import Decoder
from demotic.features import TemplateSet, Weights
from demotic.grammar import Grammar, read_grammar, read_segments
from demotic.lm import LanguageModel

# cdec on the same 20 sentences, pop limit 200, unique 100-best: units of work with loading (golden/README.md), and the share
# of its instructions that is not loading (15.0 G with, 13.8 G without).
CDEC_UNITS, _CDEC_SHARE_WITHOUT_LOADING = 47.0, 13.8 / 15.0
_REPEATS = 5


def run(unit: float) -> None:
    """Print the table."""
    lm = binary_model()
    loading = measure.in_process(_load, lm)
    arpa = measure.in_process(_load, lm.with_suffix(".arpa"))
    command = measure.command_seconds(golden_command(lm))
    dense = measure.in_process(_decode, lm, "")
    sparse = measure.in_process(_decode, lm, "id,ngram,shape")
    unit = (unit + measure.seconds_per_unit()) / 2  # other work on the machine comes and goes
    decode_seconds, sparse_seconds = dense.result / _REPEATS, sparse.result / _REPEATS
    cdec, cdec_decode = CDEC_UNITS * unit, CDEC_UNITS * unit * _CDEC_SHARE_WITHOUT_LOADING
    complete = {
        "20 sentences, 100-best, with loading": loading.cpu + decode_seconds,
        "with loading, the model from ARPA text": arpa.cpu + decode_seconds,
        "`demotic decode`: start of Python, loading, printing": command,
    }
    rows = [
        *(
            (name, f"{seconds:.3f} s", f"{cdec:.2f} s", f"{cdec / seconds:.1f}x")
            for name, seconds in complete.items()
        ),
        (
            "without loading",
            f"{decode_seconds:.3f} s",
            f"{cdec_decode:.2f} s",
            f"{cdec_decode / decode_seconds:.1f}x",
        ),
        (
            "the same with id, ngram, shape",
            f"{sparse_seconds:.3f} s",
            "",
            f"+{100 * (sparse_seconds / decode_seconds - 1):.0f}%",
        ),
        ("peak memory", f"{dense.peak:.0f} MB", "", ""),
    ]
    Console().print(
        table("decode (CPU seconds, one thread)", ["work", "demotic", "cdec, by units", "ratio"], rows)
    )


def binary_model() -> Path:
    """The golden trigram model in binary form; the ARPA file lies beside it."""
    path, arpa = measure.CACHE / "golden.lm3.bin", measure.CACHE / "golden.lm3.arpa"
    if not (path.exists() and arpa.exists()):
        measure.CACHE.mkdir(parents=True, exist_ok=True)
        arpa.write_bytes(lzma.decompress((measure.shared() / "golden" / "lm3.arpa.xz").read_bytes()))
        LanguageModel.load(arpa).save(path)
    return path


def golden_jobs() -> list[tuple[str, Grammar]]:
    """The golden sentences with their grammars."""
    segments = read_segments(measure.shared() / "golden" / "exact.sgm")
    return [(segment.sentence, read_grammar(segment.grammar)) for segment in segments]


def _load(lm: Path) -> int:
    LanguageModel.load(lm)
    return len(golden_jobs())


def golden_command(lm: Path) -> list[str]:
    """Arguments of `demotic` for what cdec's figure is: loading, decoding and printing in one process."""
    golden = measure.shared() / "golden"
    files = ["--input", golden / "exact.sgm", "--lm", lm, "--weights", golden / "weights.txt"]
    return ["decode", *map(str, files), "--kbest", "100", "--unique", "--threads", "1"]


def _decode(lm: Path, templates: str) -> float:
    """CPU seconds of decoding all sentences `_REPEATS` times, grammars and model in memory."""
    jobs = golden_jobs()
    weights = Weights.load(measure.shared() / "golden" / "weights.txt")
    decoder = Decoder(
        LanguageModel.load(lm), weights, templates=TemplateSet(templates.split(",")) if templates else None
    )
    started = time.process_time()
    for _ in range(_REPEATS):
        for found in decoder.kbest_with_grammars(jobs, 100, threads=1):
            assert len(found) > 0
    return time.process_time() - started
