"""Translating a test set with several systems: scores, examples, derivations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sacrebleu.metrics.bleu import BLEU

from demotic.adapt.evidence import Example, RuleExamples
from demotic.base.errors import DemoticError
from demotic.base.files import read_lines
from demotic.base.progress import track
from demotic.corpus.preprocess import Side
from demotic.decode import Derivation, Hypergraph, TranslationModel, feature_parts
from demotic.evaluate import TextKind, compare, leak_check, read_references
from demotic.features import Weights
from demotic.report.examples import choose_examples
from demotic.report.parts import ExamplePart, Report, RuleNode, SystemOutput, TestSet

_PAIRS = 3  # training pairs shown for a rule
_LONGEST = 100  # words of a sentence whose derivation is shown; a larger tree helps nobody


@dataclass(frozen=True)
class TestFiles:
    """A test set as text.

    Attributes:
        source: sentences.
        references: one or more translations of them.
        name: for people.
        examples: shown at most.
        shuffles: of the significance test.
    """

    __test__ = False  # no test case for pytest, whatever the name

    source: Path
    references: Sequence[Path]
    name: str = "the test set"
    examples: int = Report.examples_shown
    shuffles: int = 10_000


@dataclass(frozen=True)
class Translated:
    """A test set in the words of several systems, and in how many translations by each a feature took part."""

    test_set: TestSet
    fired: Mapping[str, Mapping[str, int]]


def translate_test_set(
    files: TestFiles, systems: Mapping[str, Sequence[Path]], threads: int = 0
) -> Translated:
    """Translate and compare.

    Args:
        files: the test set.
        systems: by name, the model folders of all replicas; the first is the one that examples come from.
        threads: 0: all cores.
    """
    references = read_references(files.references)
    source = list(read_lines(files.source))
    if len(source) != len(references[0]):
        raise DemoticError(
            f"{len(source)} lines, but {files.references[0]} has {len(references[0])}", files.source
        )
    outputs: dict[str, list[list[str]]] = {}
    fired: dict[str, Mapping[str, int]] = {}
    for name, folders in systems.items():
        found = [_translate(TranslationModel(folder), source, name, threads) for folder in folders]
        outputs[name], fired[name] = [texts for texts, _ in found], found[0][1]
    first = TranslationModel(next(iter(systems.values()))[0])
    kind = _kind(first)
    metric = "bleu-tokens" if kind.tokenized else "bleu"
    comparison = compare(outputs, references, metric, files.shuffles, kind=kind, threads=threads)
    examples = _examples(source, references, {name: texts[0] for name, texts in outputs.items()}, kind)
    chosen = {example.line for example in choose_examples(examples, files.examples)}
    for name, folders in systems.items():
        examples = _explained(examples, chosen, name, TranslationModel(folders[0]))
    test_set = TestSet(files.name, comparison, examples, _leaks(first, source, references))
    return Translated(test_set, fired)


def rule_node(
    derivation: Derivation, graph: Hypergraph, weights: Weights, corpus: RuleExamples | None = None
) -> RuleNode:
    """A derivation with the features of its rules, and the training pairs behind them: all that a page shows of it.

    Args:
        derivation: of `graph`.
        graph: was decoded with these weights.
        weights: by feature name.
        corpus: finds the training pairs; None: they are not shown.
    """
    places: int = 0
    examples: tuple[Example, ...] = ()
    if corpus is not None and derivation.kind == "translation":
        places, examples = corpus.of(derivation.source, derivation.target)
    return RuleNode(
        derivation.kind,
        derivation.source,
        derivation.target,
        graph.sentence[derivation.begin : derivation.end],
        feature_parts(derivation, graph, weights),
        [rule_node(child, graph, weights, corpus) for child in derivation.children],
        places,
        examples,
    )


def _translate(
    model: TranslationModel, source: Sequence[str], name: str, threads: int
) -> tuple[list[str], dict[str, int]]:
    """Translations, and how many of them each feature takes part in."""
    texts, counts = [], Counter[str]()
    lists = model.lists(source, model.choice(), threads)
    for line, kbest in zip(source, track(lists, f"translate {name}", len(source), "lines"), strict=True):
        texts.append(model.restore(kbest.sentence(0), source=line))
        counts.update(map(kbest.index.name, kbest.features.tolist()))
    return texts, counts


def _kind(model: TranslationModel) -> TextKind:
    options = model.preprocessor.options
    return TextKind(options.target_language, options.tokenized)


def _examples(
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    outputs: Mapping[str, Sequence[str]],
    kind: TextKind,
) -> list[ExamplePart]:
    """All sentences with their scores: sentence BLEU with smoothed counts and no order that a short sentence lacks."""
    metric = (
        BLEU(tokenize="none", lowercase=True, force=True, effective_order=True)
        if kind.tokenized
        else BLEU(trg_lang=kind.language, effective_order=True)
    )
    examples = []
    for i, (line, *texts) in enumerate(zip(source, *references, strict=True)):
        found = {
            name: SystemOutput(lines[i], metric.sentence_score(lines[i], texts).score)
            for name, lines in outputs.items()
        }
        examples.append(ExamplePart(i + 1, line, texts, found))
    return examples


def _explained(
    examples: Sequence[ExamplePart], chosen: set[int], name: str, model: TranslationModel
) -> list[ExamplePart]:
    """With the derivation of one system's translation of the chosen lines."""
    result = []
    corpus = RuleExamples(model, _PAIRS)
    for example in examples:
        words = model.preprocessor.words(example.source, "source") if example.line in chosen else []
        if 0 < len(words) <= _LONGEST:
            graph = model.decoder.decode(words)
            root = rule_node(graph.derivation(graph.viterbi()), graph, model.weights, corpus)
            output = replace(example.outputs[name], derivation=root)
            example = replace(example, outputs={**example.outputs, name: output})
        result.append(example)
    return result


def _leaks(model: TranslationModel, source: Sequence[str], references: Sequence[Sequence[str]]) -> list[str]:
    def words(lines: Sequence[str], side: Side) -> list[list[str]]:
        return [model.preprocessor.words(line, side) for line in lines]

    return leak_check(
        model.index, words(source, "source"), [words(r, "target") for r in references]
    ).warnings()
