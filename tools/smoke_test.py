"""Does an installed Demotic work? Run by `tools/wheels.py` and by cibuildwheel, with the Python that Demotic is installed in.

    python tools/smoke_test.py MODEL         # translating alone: what the package without extras can do
    python tools/smoke_test.py --train       # corpus, model, tuning, scores: with the extra `train`

It uses only what is installed, not the source tree, and writes into a temporary folder.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

SENTENCE = "Der Mann sitzt auf der Bank."


def demotic(*arguments: str | Path, text: str = "", status: int = 0) -> str:
    """Standard output of a command, or standard error where it must fail; anything else ends the test."""
    command = [sys.executable, "-m", "demotic", *map(str, arguments)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != status:
        sys.exit(f"{' '.join(command)}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stderr if status else done.stdout


def check(condition: bool, what: object) -> None:
    """End the test unless the condition holds; `assert` would not do under `python -O`."""
    if not condition:
        sys.exit(f"smoke test failed: {what}")


def translate_with(model: Path) -> None:
    """A translation and its explanation; what needs an extra says which."""
    translation = demotic("translate", model, text=SENTENCE + "\n")
    check("bench" in translation.lower(), translation)
    check(translation == demotic("translate", model, "--threads", 2, text=SENTENCE + "\n"), "two threads")
    check("LanguageModel" in demotic("translate", model, "--explain", text=SENTENCE + "\n"), "--explain")
    check(bool(demotic("translate", model, "--mbr", "list", text=SENTENCE + "\n")), "--mbr list")
    demotic("verify", model)
    try:
        import scipy  # noqa: F401
    except ImportError:
        files = ("--src", "x", "--ref", "x", "--out", "x")
        failed = demotic("tune", model, "--learner", "mert", *files, status=1)
        check("pip install 'demotic[train]'" in failed, failed)


def train_and_score(folder: Path) -> None:
    """The chain from text to BLEU, on a small part of the embedded corpus."""
    from demotic.corpus.embedded import EmbeddedOptions, write

    write(folder, EmbeddedOptions(train=300, dev=16, devtest=8, test=16))
    model = folder / "model"
    files = {"--src": "train.de", "--tgt": "train.en", "--dev-src": "dev.de", "--dev-ref": "dev.en"}
    demotic("train", "--out", model, *(part for key, name in files.items() for part in (key, folder / name)))
    translate_with(model)
    (folder / "hyp").write_text(demotic("translate", model, "--input", folder / "test.de"), "utf-8")
    scores = demotic("evaluate", "--hyp", folder / "hyp", "--ref", folder / "test.en")
    check("bleu" in scores, scores)


def main(arguments: list[str]) -> None:
    """Run what the arguments say."""
    print(demotic("--version").strip(), "on Python", sys.version.split()[0])
    if arguments == ["--train"]:
        with tempfile.TemporaryDirectory() as folder:
            train_and_score(Path(folder))
    else:
        translate_with(Path(arguments[0]))
    print("smoke test passed")


if __name__ == "__main__":
    main(sys.argv[1:])
