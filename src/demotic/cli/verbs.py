"""The verbs, in the order of the data flow. A verb's module is loaded when the verb is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

# Name -> where it is (a function, or an app with verbs of its own), and its help, so that `--help` loads none of them.
VERBS: Mapping[str, tuple[str, str]] = {
    "demo": ("demo:demo", "The whole job on the embedded German-English corpus."),
    "train": (
        "train:train",
        "Train a model from text. Run the same command again to go on after an interruption.",
    ),
    "translate": ("translate:translate", "Translate raw text."),
    "prepare": ("prepare:prepare", "Tokenise, case, split and clean a parallel corpus for training."),
    "tokenize": (
        "prepare:tokenize",
        "Prepare raw text exactly as the training text was; one line in, one line out.",
    ),
    "detokenize": ("prepare:detokenize", "The inverse, for translations: recase and detokenise."),
    "align": ("align:app", "Word alignment, and its error rate."),
    "lm": ("lm:app", "Language models: training and scores."),
    "grammar": ("grammar:app", "The index of a corpus, and the rules that it gives for a sentence."),
    "decode": (
        "decode:decode",
        "Decode tokenised text; prints `id ||| words ||| Name=value ... ||| score` with --kbest, else the words.",
    ),
    "evaluate": (
        "evaluate:evaluate",
        "Score translations: BLEU for users and BLEU of the papers, chrF, TER, each with its signature.",
    ),
    "compare": (
        "evaluate:compare",
        "Compare systems: means, deviations over runs and over test sentences, p-values against the first.",
    ),
    "tune": ("tune:tune", "Learn weights. Run the same command again to go on after an interruption."),
    "reproduce": (
        "reproduce:reproduce",
        "Run a table or figure of a paper on a corpus. Run the same command again to go on after an interruption.",
    ),
    "weights": ("weights:app", "Look at learnt weights."),
    "report": (
        "report:report",
        "Make a page: scores with significance, learning curves, features, translations and their derivations.",
    ),
    "groups": ("groups:app", "Look at groups of features that share a weight."),
    "serve": (
        "serve:serve",
        "Translate in a browser, with derivations, and for programs that speak JSON. Ctrl-C ends it.",
    ),
    "doctor": ("doctor:doctor", "Print versions, core features, cores, memory."),
}


class LazyVerb(TyperCommand):
    """Stands for a verb in the list of verbs.

    Args:
        name: of the verb.
        place: module of this package and name in it, as `lm:app`.
        help: what the verb itself has as help.
    """

    def __init__(self, name: str, place: str, help: str) -> None:
        super().__init__(name, help=help)
        self._place = place

    def load(self) -> Any:
        """The verb itself, as a command or a group of commands."""
        assert self.name is not None
        module, _, name = self._place.partition(":")
        verb = getattr(import_module(f"demotic.cli.{module}"), name)
        app = typer.Typer(callback=lambda: None, rich_markup_mode="rich")
        if isinstance(verb, typer.Typer):
            app.add_typer(verb, name=self.name)
        else:
            app.command(self.name)(verb)
        return typer.main.get_group(app).commands[self.name]


class Verbs(TyperGroup):
    """All verbs, in the order of the table."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {name: LazyVerb(name, place, help) for name, (place, help) in VERBS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The verb that the arguments name, loaded; for calls, their help and completion."""
        name, verb, rest = super().resolve_command(ctx, args)
        return name, verb.load() if isinstance(verb, LazyVerb) else verb, rest
