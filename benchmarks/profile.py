"""Where the cycles of decoding go: samples of the processor's position, by part of the decoder. Needs perf and addr2line.

The core is built again in build/profile, with the same optimisation and with debug information, since most calls are inlined; the first
time this takes as long as installing Demotic.
"""

from __future__ import annotations

import collections
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from benchmarks import measure
from benchmarks.decode import binary_model, golden_jobs
from demotic import _core
from demotic.cli.common import table
from demotic.decode import Decoder
from demotic.features import Weights
from demotic.lm import LanguageModel

_BUILD = measure.ROOT / "build" / "profile"
_REPEATS = 20
# Files of cpp/ by what they do; the innermost one of them decides. What is not here counts where it was called.
_PARTS = {
    "language model": ("lm/model", "lm/state", "decode/junction_cache"),
    "cube pruning": ("decode/cube_pruning", "decode/stamped_table", "decode/chart"),
    "parsing": ("decode/parser", "decode/source_trie", "decode/decoder", "decode/labels"),
    "scores of rules": ("decode/scored_rules", "decode/rule_book"),
    "hypergraph": ("decode/forest_builder", "decode/hypergraph"),
    "k-best lists": ("decode/kbest", "decode/derivation"),
    "names of features": ("features/",),
}


def run(unit: float) -> None:
    """Print the table."""
    del unit  # shares only
    console = Console()
    if missing := [tool for tool in ("perf", "addr2line") if shutil.which(tool) is None]:
        console.print(f"profile: left out, {' and '.join(missing)} not found")
        return
    if subprocess.run(["perf", "record", "-o", os.devnull, "true"], capture_output=True).returncode != 0:
        console.print("profile: left out, perf may not record here")
        return
    package = _build()
    environment = {**os.environ, "PYTHONPATH": f"{package}:{measure.ROOT}"}
    command = [sys.executable, "-m", "benchmarks.profile"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    rows = [(part, f"{share:.0%}") for part, share in json.loads(done.stdout)]
    console.print(
        table("decode: golden sentences, unique 100-best, share of samples", ["part", "share"], rows)
    )


def _build() -> Path:
    """A folder with the package, its core with debug information."""
    cmake, nanobind = Path(sys.executable).with_name("cmake"), importlib.util.find_spec("nanobind")
    assert nanobind is not None and nanobind.origin is not None
    options = {
        "CMAKE_BUILD_TYPE": "RelWithDebInfo",
        "CMAKE_CXX_FLAGS_RELWITHDEBINFO": "-O3 -DNDEBUG -g",
        "CMAKE_MAKE_PROGRAM": cmake.with_name("ninja"),
        "Python_EXECUTABLE": sys.executable,
        "nanobind_DIR": Path(nanobind.origin).parent / "cmake",
    }
    configure = [cmake, "-S", measure.ROOT, "-B", _BUILD, "-G", "Ninja"]
    configure += [f"-D{name}={value}" for name, value in options.items()]
    for command in (configure, [cmake, "--build", _BUILD, "--target", "_core"]):
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    package = _BUILD / "package"
    shutil.copytree(measure.ROOT / "src" / "demotic", package / "demotic", dirs_exist_ok=True)
    for core in _BUILD.glob("_core*.so"):
        shutil.copy(core, package / "demotic")
    return package


def _profile(data: Path) -> list[tuple[str, float]]:
    """Parts and shares, the largest first; in a process that has the core with debug information."""
    module = Path(_core.__file__)
    weights = Weights.load(measure.shared() / "golden" / "weights.txt")
    decoder, jobs = Decoder(LanguageModel.load(binary_model()), weights), golden_jobs()
    command = ["perf", "record", "-F", "997", "-o", str(data), "-p", str(os.getpid())]
    perf = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(0.5)  # until it has attached
    for _ in range(_REPEATS):
        for _found in decoder.kbest_with_grammars(jobs, 100, threads=1):
            pass
    perf.send_signal(signal.SIGINT)
    perf.wait()
    parts = collections.Counter(_parts(data, module))
    total = sum(parts.values())
    return [(part, count / total) for part, count in parts.most_common()]


def _parts(data: Path, module: Path) -> Iterator[str]:
    """The part of the decoder of each sample."""
    script = ["perf", "script", "-i", str(data), "-F", "ip,dso"]
    samples = subprocess.run(script, capture_output=True, text=True, check=True).stdout.splitlines()
    inside = [line.split()[0] for line in samples if module.name in line]
    yield from ["other libraries: memory, Python"] * (len(samples) - len(inside))
    base = next(
        int(line.split("-")[0], 16)
        for line in Path("/proc/self/maps").read_text().splitlines()
        if line.endswith(str(module))
    )
    addresses = "".join(f"{int(address, 16) - base:#x}\n" for address in inside)
    resolve = ["addr2line", "-a", "-i", "-e", str(module)]
    found = subprocess.run(resolve, input=addresses, capture_output=True, text=True, check=True).stdout
    frames: list[str] = []  # of one sample, from the innermost on
    for line in found.splitlines()[1:]:
        if line.startswith("0x"):
            yield _part(frames)
            frames = []
        else:
            frames.append(line)
    yield _part(frames)


def _part(frames: list[str]) -> str:
    for frame in frames:
        for part, files in _PARTS.items():
            if any(f"/cpp/{file}" in frame for file in files):
                return part
    return "bindings"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(_profile(Path(folder) / "perf.data")))
