"""The folder that `--out` names: text, models and tuned systems that experiments share, and a folder of results for each.

Everything in it has a name made from what it depends on, so that rows, tables and scales that need the same thing find it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import demotic
from demotic.base.digests import digest_of, file_digest
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish, atomic_write, make_folder, own_copy
from demotic.base.json_text import parse_json
from demotic.base.options import options_to_dict
from demotic.base.run import OnStage, Run
from demotic.decode.model_folder import INDEX, MODEL_TOML, ModelFolder
from demotic.pipeline.train import train
from demotic.pipeline.train_options import TrainInput, TrainOptions
from demotic.reproduce.data import DataSet, MonoText

_VERSION = "reproduce.json"
# Stages of training that depend neither on features nor on the order of the language model.
_TEXT_STAGES = ("prepare", "align", "bitext", "index")
_MONO_STAGE = "mono"  # the same, with monolingual text


class Workspace:
    """What an experiment leaves behind.

    Args:
        folder: created if absent.
        on_stage: told `(name, seconds)` as each stage of text and model ends; None: it was done before.

    Raises:
        DemoticError: if another version of Demotic made it.
    """

    def __init__(self, folder: Pathish, on_stage: OnStage | None = None) -> None:
        self.folder = make_folder(folder)
        self._on_stage = on_stage
        self._check_version()

    @contextlib.contextmanager
    def text(self) -> Iterator[Run]:
        """Where sentences are kept."""
        with Run(self.folder / "text", self._on_stage) as run:
            yield run

    def model_folder(
        self, text: DataSet, options: TrainOptions, seed: int, mono: MonoText | None = None
    ) -> Path:
        """Where the untuned model of some training text, and of monolingual text, is or will be."""
        parts = {"options": options_to_dict(options), "seed": seed, "text": text.key, "mono": _key(mono)}
        return self.folder / "models" / key_of(parts)

    def model(
        self, text: DataSet, options: TrainOptions, seed: int, workers: int, mono: MonoText | None = None
    ) -> Path:
        """The untuned model of some training text: alignment, language model, index.

        Models of the same text with other features or another language model share what they can.
        """
        folder = self.model_folder(text, options, seed, mono)
        parts = {"text": text.key, "seed": seed}
        parts |= {name: options_to_dict(getattr(options, name)) for name in ("prepare", "align")}
        shared = self.folder / "aligned" / key_of(parts)
        shared_mono = shared.with_name(f"{shared.name}-{_key(mono)}") if mono else None
        if shared.exists() and not (folder / "run").exists():
            known = {stage: shared / stage for stage in _TEXT_STAGES}
            known |= {_MONO_STAGE: shared_mono / _MONO_STAGE} if shared_mono and shared_mono.exists() else {}
            _copy_stages(known, folder / "run")
        files = TrainInput(
            text.source, text.references[0], mono=[mono.file] if mono else [], alignment=text.alignment
        )
        train(files, folder, options, seed=seed, workers=workers, on_stage=self._on_stage)
        if not shared.exists():
            _copy_stages({stage: folder / "run" / stage for stage in _TEXT_STAGES}, shared)
        if shared_mono and not shared_mono.exists():
            _copy_stages({_MONO_STAGE: folder / "run" / _MONO_STAGE}, shared_mono)
        return folder

    def system(self, name: str, parts: Mapping[str, Any]) -> Path:
        """Folder of a tuned system.

        Args:
            name: of the learner, for people.
            parts: everything that it depends on.
        """
        return self.folder / "systems" / f"{name}-{key_of(parts)}"

    def results(self, name: str) -> Path:
        """Folder of a table or figure."""
        return make_folder(self.folder / name)

    def _check_version(self) -> None:
        path = self.folder / _VERSION
        if not path.exists():
            with atomic_write(path) as file:
                json.dump({"demotic": demotic.__version__}, file)
            return
        try:
            made_by = str(parse_json(path.read_text("utf-8"))["demotic"])
        except (ValueError, KeyError, TypeError):
            made_by = "an unknown version"
        if made_by != demotic.__version__:
            raise DemoticError(
                f"the folder has runs of demotic {made_by}, which cannot be compared with runs of {demotic.__version__}",
                self.folder,
                hint="choose another --out, or remove the folder",
            )


def _key(mono: MonoText | None) -> str:
    return mono.key if mono else ""


def _copy_stages(stages: Mapping[str, Path], out: Path) -> None:
    """Copies of finished stages, all or nothing.

    If that fails (a full disk, or a run beside this one that was faster) nothing is lost: stages that are not there are run.
    """
    temporary = out.parent / f".{out.name}.{os.urandom(4).hex()}.tmp"
    try:
        for name, folder in stages.items():
            shutil.copytree(folder, temporary / name, copy_function=own_copy)
        temporary.rename(out)
    except OSError:
        shutil.rmtree(temporary, ignore_errors=True)


def key_of(parts: Mapping[str, Any]) -> str:
    """A short name for plain values."""
    return digest_of(json.dumps(parts, sort_keys=True, default=str).encode())[:12]


def model_key(folder: Path) -> str:
    """A short name for what a model knows: its weights aside."""
    names = (*ModelFolder(folder).lm_files(), INDEX, MODEL_TOML)
    return key_of({name: file_digest(folder / name) for name in names})
