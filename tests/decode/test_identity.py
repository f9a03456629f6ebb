"""What must belong together knows what it belongs to: every pair of public types either refuses a stranger, or has no use for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import pytest

from demotic.base import DemoticError
from demotic.decode import Hypergraph, KBest, TranslationModel
from demotic.features import FeatureIndex, TemplateSet, Weights
from demotic.grammar import Grammar, GrammarIndex

BY_NAME = "features are found by their names"
BY_WORD = "words are found by their spelling"
NEVER = "no call takes both"


@dataclass
class World:
    """One object of each type, all made from one model; two worlds of the same files have nothing in common."""

    folder: Path
    sentence: str

    @cached_property
    def model(self) -> TranslationModel:
        return TranslationModel(self.folder)

    @cached_property
    def weights(self) -> Weights:
        return Weights.load(self.folder / "weights.txt")

    @cached_property
    def features(self) -> object:
        assert isinstance(self.templates, TemplateSet)
        return self.templates.rule_features(self.grammar, self.weights.index)

    @property
    def templates(self) -> TemplateSet | None:
        return self.model.decoder.templates

    @property
    def index(self) -> GrammarIndex:
        return self.model.index

    @cached_property
    def mask(self) -> object:
        return self.index.mask([0, 1])

    @cached_property
    def grammar(self) -> Grammar:
        return self.index.grammar(self.sentence)

    @cached_property
    def graph(self) -> Hypergraph:
        return self.model.decoder.with_weights(self.weights).decode(self.sentence)

    @cached_property
    def kbest(self) -> KBest:
        return self.graph.kbest(3)

    @cached_property
    def packed(self) -> bytes:
        return self.graph.pack()

    def search(self, grammar: Grammar, features: object, weights: Weights) -> object:
        """Native search, as `Decoder` calls it."""
        native = self.model.decoder.native
        return native.decode(
            self.sentence.split(" "), grammar.native, features, weights.index, weights.native
        )


TYPES = ["GrammarIndex", "Mask", "Grammar", "RuleFeatures", "FeatureIndex", "Weights", "Hypergraph", "KBest", "packed graph"]  # fmt: skip
Crossing = Callable[[World, World], object]
# What happens when the first of the two comes from one world and the second from another.
PAIRS: dict[tuple[str, str], Crossing | str] = {
    ("GrammarIndex", "Mask"): lambda a, b: a.index.grammar(a.sentence, b.mask),  # type: ignore[arg-type]
    ("GrammarIndex", "Grammar"): NEVER,
    ("GrammarIndex", "RuleFeatures"): NEVER,
    ("GrammarIndex", "FeatureIndex"): BY_NAME,
    ("GrammarIndex", "Weights"): BY_NAME,
    ("GrammarIndex", "Hypergraph"): NEVER,
    ("GrammarIndex", "KBest"): BY_WORD,
    ("GrammarIndex", "packed graph"): lambda a, b: a.model.decoder.unpack(b.packed, "ein ganz anderer Satz"),
    ("Mask", "Grammar"): NEVER,
    ("Mask", "RuleFeatures"): NEVER,
    ("Mask", "FeatureIndex"): NEVER,
    ("Mask", "Weights"): NEVER,
    ("Mask", "Hypergraph"): NEVER,
    ("Mask", "KBest"): NEVER,
    ("Mask", "packed graph"): NEVER,
    ("Grammar", "RuleFeatures"): lambda a, b: a.search(a.grammar, b.features, b.weights),
    ("Grammar", "FeatureIndex"): BY_NAME,
    ("Grammar", "Weights"): BY_NAME,
    ("Grammar", "Hypergraph"): NEVER,
    ("Grammar", "KBest"): NEVER,
    ("Grammar", "packed graph"): NEVER,
    ("RuleFeatures", "FeatureIndex"): lambda a, b: a.search(a.grammar, a.features, Weights(b.weights.index)),
    ("RuleFeatures", "Weights"): lambda a, b: a.search(a.grammar, a.features, b.weights),
    ("RuleFeatures", "Hypergraph"): NEVER,
    ("RuleFeatures", "KBest"): NEVER,
    ("RuleFeatures", "packed graph"): NEVER,
    ("FeatureIndex", "Weights"): lambda a, b: Weights(FeatureIndex(), b.weights.values),
    ("FeatureIndex", "Hypergraph"): lambda a, b: Hypergraph(b.graph.native, a.weights.index).kbest(1),
    ("FeatureIndex", "KBest"): lambda a, b: KBest(b.kbest.native, a.weights.index),
    ("FeatureIndex", "packed graph"): BY_NAME,
    ("Weights", "Hypergraph"): lambda a, b: b.graph.rescore(a.weights),
    ("Weights", "KBest"): lambda a, b: b.kbest.native.to_text(1, a.weights.index),
    ("Weights", "packed graph"): BY_NAME,
    ("Hypergraph", "KBest"): lambda a, b: a.graph.derivation(b.kbest),
    ("Hypergraph", "packed graph"): NEVER,
    ("KBest", "packed graph"): NEVER,
}


@pytest.fixture(scope="module")
def worlds(sparse_model_folder: Path, corpus: Path) -> tuple[World, World]:
    model = TranslationModel(sparse_model_folder)
    line = (corpus / "test.de").read_text("utf-8").splitlines()[0]
    sentence = " ".join(model.preprocessor.words(line, "source"))
    return World(sparse_model_folder, sentence), World(sparse_model_folder, sentence)


def test_the_table_has_all_pairs():
    assert set(PAIRS) == set(combinations(TYPES, 2))


@pytest.mark.parametrize("pair", [pair for pair, crossing in PAIRS.items() if not isinstance(crossing, str)])
def test_a_stranger_is_refused(worlds: tuple[World, World], pair: tuple[str, str]):
    crossing = PAIRS[pair]
    assert not isinstance(crossing, str)
    for one, other in (worlds, worlds[::-1]):
        with pytest.raises(DemoticError, match=r"belongs? to |more weights than features"):
            crossing(one, other)


def test_what_belongs_together_is_accepted(worlds: tuple[World, World]):
    world = worlds[0]
    world.index.grammar(world.sentence, world.mask)  # type: ignore[arg-type]
    world.search(world.grammar, world.features, world.weights)
    assert world.model.decoder.unpack(world.packed, world.sentence).sentence == world.graph.sentence
    assert world.graph.rescore(world.weights).kbest(3).scores == pytest.approx(world.kbest.scores)
    assert world.graph.derivation(world.kbest).words() == world.kbest.sentence(0)
    assert world.kbest.to_text(1).startswith("1 ||| ")


def test_features_of_another_grammar_of_the_same_index_are_refused(worlds: tuple[World, World]):
    world = worlds[0]
    again = world.index.grammar(world.sentence)
    with pytest.raises(DemoticError, match="the sparse features belong to other rules"):
        world.search(again, world.features, world.weights)


def test_nobody_adds_features_while_a_template_reads_them(worlds: tuple[World, World]):
    """The template stands for another thread: it runs in the middle of looking features up."""
    from demotic.features import template

    world = worlds[0]
    weights = Weights.from_dict({"LanguageModel": 1.0})

    @template("adds_to_the_index")
    def adds(rule: object) -> list[tuple[str, float]]:
        weights.index.intern("a:feature")
        return []

    with pytest.raises(DemoticError, match="a feature is added while another thread uses its index"):
        TemplateSet(["adds_to_the_index"]).rule_features(world.grammar, weights.index)
