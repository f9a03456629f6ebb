"""K-best lists of given sentences: a grammar that translates one word into each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from decode.brute_force import PlainRule
from decode.toys import grammar_of
from demotic.decode import DecodeOptions, Decoder, Hypergraph, KBest
from demotic.features import Weights
from demotic.grammar import parse_grammar
from demotic.lm import LanguageModel

WEIGHTS = {"Rank": -1.0, "PassThrough": -1e6}


@cache
def uniform_lm() -> LanguageModel:
    """A unigram model that knows no word."""
    with TemporaryDirectory() as folder:
        arpa = Path(folder) / "uniform.arpa"
        arpa.write_text("\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-1\t</s>\n\n\\end\\\n")
        return LanguageModel.load(arpa)


def graph_of(rules: str, sentence: str) -> Hypergraph:
    """Everything that rules in cdec's format derive from a sentence."""
    grammar = parse_grammar(rules)
    return Decoder(uniform_lm(), Weights.from_dict(WEIGHTS)).decode(sentence, grammar=grammar)


def exhaustive(rules: list[PlainRule], sentence: list[str], weights: dict[str, float]) -> Hypergraph:
    """All derivations of a sentence, scored without a language model that knows words."""
    decoder = Decoder(uniform_lm(), Weights.from_dict(weights), options=DecodeOptions(pop_limit=0))
    return decoder.decode(sentence, grammar=grammar_of(rules))


def kbest_of(hypotheses: Sequence[Sequence[str]]) -> KBest:
    """These hypotheses in this order; none may be empty, none may come twice."""
    rules = "".join(
        f"[X] ||| source ||| {' '.join(words)} ||| Rank={rank} |||\n" for rank, words in enumerate(hypotheses)
    )
    kbest = graph_of(rules, "source").kbest(len(hypotheses))
    assert list(kbest.sentences()) == [list(words) for words in hypotheses]
    return kbest
