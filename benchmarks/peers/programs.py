"""Where the other tools are: on the PATH, or in the folders that `DEMOTIC_PEERS` names."""

from __future__ import annotations

import os
import shutil

# Program -> where it comes from.
PEERS = {
    "lmplz": "KenLM",
    "query": "KenLM",
    "fast_align": "fast_align",
    "eflomal-align": "eflomal",
    "sacompile": "cdec, extractor",
    "extract": "cdec, extractor",
    "cdec": "cdec, decoder",
    "dtrain": "cdec, training/dtrain",
}


def find_peers() -> dict[str, str]:
    """Path of every program that is there; folders of `DEMOTIC_PEERS` come first."""
    path = os.pathsep.join(filter(None, (os.environ.get("DEMOTIC_PEERS"), os.environ.get("PATH"))))
    found = {name: shutil.which(name, path=path) for name in PEERS}
    return {name: place for name, place in found.items() if place}
