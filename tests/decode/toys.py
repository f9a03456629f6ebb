"""Small grammars, at random and by hand, and what decodes with them."""

from __future__ import annotations

from hypothesis import strategies as st

from demotic.decode import DecodeOptions, Decoder, Hypergraph
from demotic.features import TemplateSet, Weights
from demotic.grammar import Grammar, parse_grammar
from demotic.lm import LanguageModel

from .brute_force import PlainRule

WEIGHTS = {
    "A": -0.7,
    "B": 0.4,
    "Glue": -0.2,
    "WordPenalty": 0.3,
    "PassThrough": -1.5,
    "LanguageModel": 0.9,
    "LanguageModel_OOV": -0.6,
}
SOURCE, TARGET = "abc", "xyz"
ENOUGH = 3000  # derivations: more would take too long to enumerate


def grammar_of(rules: list[PlainRule]) -> Grammar:
    return parse_grammar("".join(rule.line() for rule in rules))


@st.composite
def plain_rules(draw) -> PlainRule:
    arity = draw(st.integers(0, 2))
    words = draw(st.lists(st.sampled_from(SOURCE), min_size=1, max_size=2))
    places = sorted(draw(st.lists(st.integers(0, len(words)), min_size=arity, max_size=arity)))
    source: list[str | int] = list(words)
    for number in range(arity, 0, -1):
        source.insert(places[number - 1], number)
    target = draw(
        st.permutations(
            [*range(1, arity + 1), *draw(st.lists(st.sampled_from(TARGET + "q"), min_size=1, max_size=2))]
        )
    )
    values = st.sampled_from([0.0, 0.5, 1.0, 2.25])
    return PlainRule(tuple(source), tuple(target), {"A": draw(values), "B": draw(values)})


problems = st.tuples(
    st.lists(plain_rules(), min_size=1, max_size=4), st.lists(st.sampled_from(SOURCE), min_size=1, max_size=4)
)


RULES = [
    PlainRule(("a",), ("x",), {"A": 0.3}),
    PlainRule(("a",), ("y",), {"A": 0.5}),
    PlainRule(("b",), ("z",), {"A": 0.1}),
    PlainRule((1, "b"), ("z", 1), {"B": 0.5}),
    PlainRule((1, "b", 2), (2, "y", 1), {"B": 1.0}),
]


def decode(
    lm: LanguageModel,
    rules: list[PlainRule],
    sentence: list[str],
    templates: TemplateSet | None = None,
    **options: int,
) -> Hypergraph:
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), None, templates, DecodeOptions(**options))
    return decoder.decode(sentence, grammar=grammar_of(rules))
