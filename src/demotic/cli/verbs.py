"""The verbs, in the order of the data flow. A verb's module is loaded when the verb is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

# Name -> place (a function, or an app with verbs of its own) and help, so that `--help` loads none of them.
VERBS: Mapping[str, tuple[str, str]] = {
    "demo": ("demo:demo", "Train, tune, test and report on the embedded German-English corpus."),
    "train": (
        "train:train",
        "Train a model from parallel text. An interrupted run resumes when the command is repeated.",
    ),
    "translate": ("translate:translate", "Translate raw text with a trained model."),
    "why": (
        "why:why",
        "Show the training pairs behind a translation, and why the next best translations lost.",
    ),
    "contrast": ("why:contrast", "Show which features made two models translate a sentence differently."),
    "prepare": ("prepare:prepare", "Tokenise, normalise case, split compounds and clean a parallel corpus."),
    "tokenize": (
        "prepare:tokenize",
        "Tokenise raw text exactly as the training text was, line by line.",
    ),
    "detokenize": ("prepare:detokenize", "Undo `tokenize`: restore case and detokenise translations."),
    "align": ("align:app", "Align words; score and draw alignments."),
    "lm": ("lm:app", "Train language models, and score text with them."),
    "grammar": ("grammar:app", "Index a word-aligned corpus, and extract translation rules from it."),
    "classes": ("classes:app", "Make and inspect word classes."),
    "decode": (
        "decode:decode",
        "Decode tokenised text with rules from files or an index.",
    ),
    "evaluate": (
        "evaluate:evaluate",
        "Score translations: BLEU, tokenised BLEU, chrF and TER, each with its signature.",
    ),
    "compare": (
        "compare:compare",
        "Compare systems: means, standard deviations, and p-values against the first system.",
    ),
    "diagnose": (
        "diagnose:diagnose",
        "Show how much BLEU a model loses to search, to ranking and to missing rules.",
    ),
    "calibrate": (
        "calibrate:calibrate",
        "Fit the confidence of a model, for `demotic translate --confidence`, or check it on other text.",
    ),
    "audit": (
        "audit:audit",
        "List the training pairs that are most likely wrong, judged by the rest of the corpus.",
    ),
    "learners": (
        "learners:learners",
        "List the learners of `demotic tune`, or the options of one of them.",
    ),
    "tune": (
        "tune:tune",
        "Tune the weights of a model. An interrupted run resumes when the command is repeated.",
    ),
    "learn": ("learn:learn", "Learn from corrected translations. Repeating the command adds nothing twice."),
    "undo": ("undo:undo", "Take back the last corrections, and restore rules and weights exactly."),
    "forget": (
        "forget:forget",
        "Write a model without some training pairs: its rules and language model are built from the others.",
    ),
    "reproduce": (
        "reproduce:reproduce",
        "Reproduce a table or figure of a paper on a corpus. An interrupted run resumes when the command is repeated.",
    ),
    "weights": ("weights:app", "Inspect learnt weights."),
    "report": (
        "report:report",
        "Write an HTML report: scores with significance, learning curves, features, translations, derivations.",
    ),
    "groups": ("groups:app", "Inspect groups of features that share a weight."),
    "serve": (
        "serve:serve",
        "Serve translations: LibreTranslate's interface and a workbench in the browser. Stop with Ctrl-C.",
    ),
    "verify": (
        "verify:verify",
        "Check the files of a model, and of the run that made it, against their checksums.",
    ),
    "doctor": ("doctor:doctor", "Print versions, cores and memory of this installation."),
}


class LazyVerb(TyperCommand):
    """Stands for a verb in the list of verbs.

    Args:
        name: of the verb.
        place: module of this package and name in it, as `lm:app`.
        help: the docstring of the verb.
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
        """Load the verb that the arguments name: for calls, help and completion."""
        name, verb, rest = super().resolve_command(ctx, args)
        return name, verb.load() if isinstance(verb, LazyVerb) else verb, rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The list of verbs, without what typer would load to draw it."""
        from demotic.cli.front_page import front_page

        options = [parameter.get_help_record(ctx) for parameter in self.get_params(ctx)]
        verbs = [(name, help) for name, (_, help) in VERBS.items()]
        usage = " ".join(["Usage:", ctx.command_path, *self.collect_usage_pieces(ctx)])
        tables = [("Options", [option for option in options if option]), ("Commands", verbs)]
        formatter.write(front_page(usage, self.help or "", tables, self.epilog or ""))
