"""Prescribed translations of spans, against brute force: the best derivation of the sentence with an own rule for each span."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.decode import DecodeOptions, Decoder, SpanConstraint
from demotic.decode.decoder import kbest_lists
from demotic.features import Weights

from .brute_force import PlainRule, derivations, score
from .toys import RULES, SOURCE, TARGET, WEIGHTS, decode, grammar_of, plain_rules

ENOUGH = 2000


@st.composite
def constrained_problems(draw) -> tuple[list[PlainRule], list[str], list[SpanConstraint]]:
    """A few rules, a sentence, and one or two spans of it that do not overlap."""
    rules = draw(st.lists(plain_rules(), min_size=1, max_size=4))
    sentence = draw(st.lists(st.sampled_from(SOURCE), min_size=1, max_size=5))
    cuts = sorted(
        draw(
            st.lists(
                st.integers(0, len(sentence)), min_size=2, max_size=min(4, len(sentence) + 1), unique=True
            )
        )
    )
    words = st.lists(st.sampled_from([*TARGET, "q"]), min_size=1, max_size=2).map(" ".join)
    return (
        rules,
        sentence,
        [SpanConstraint(b, e, draw(words)) for b, e in zip(cuts[::2], cuts[1::2], strict=False)],
    )


def with_own_words(
    sentence: list[str], constraints: list[SpanConstraint]
) -> tuple[list[str], list[PlainRule]]:
    """The same problem without constraints: each span is a word that only a rule of its own reads."""
    words, rules, at = [], [], 0
    for number, each in enumerate(constraints):
        words += [*sentence[at : each.begin], f"span{number}"]
        rules.append(PlainRule((f"span{number}",), tuple(each.translation.split())))
        at = each.end
    return [*words, *sentence[at:]], rules


@settings(max_examples=60, deadline=None)
@given(constrained_problems())
def test_search_under_constraints_equals_brute_force(lm, problem):
    rules, sentence, constraints = problem
    words, own = with_own_words(sentence, constraints)
    best: dict[tuple[str, ...], float] = {}
    for number, derivation in enumerate(derivations(words, rules + own)):
        assume(number < ENOUGH)
        if not any(word.startswith("span") for word in derivation.words):  # a span was copied
            value = score(derivation, WEIGHTS, lm)
            best[derivation.words] = max(value, best.get(derivation.words, value))
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), options=DecodeOptions(pop_limit=0))
    graph = decoder.decode(sentence, grammar=grammar_of(rules), constraints=constraints)
    found = graph.kbest(len(best) + 1, unique=True)
    assert len(found) == len(best)
    for words, value in zip(found.sentences(), found.scores, strict=True):
        assert best[tuple(words)] == pytest.approx(value, abs=1e-4)
    kinds = [rule.kind for rule in graph.derivation(found).rules()]
    assert kinds.count("forced") == len(constraints)


def test_the_rest_of_the_sentence_is_searched_around_the_span(lm):
    """X1 b / z X1 reorders what is prescribed for `a`."""
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS))
    graph = decoder.decode("a b", grammar=grammar_of(RULES), constraints=[SpanConstraint(0, 1, "New York")])
    strings = [" ".join(words) for words in graph.kbest(10, unique=True).sentences()]
    assert {"z New York", "New York z", "New York b"} == set(strings)
    assert graph.sentence == ["a", "b"]


def test_the_language_model_reads_what_the_constraint_says(lm):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS))
    one = decoder.decode("a b", grammar=grammar_of(RULES), constraints=[SpanConstraint(0, 2, "x y z")])
    other = decoder.decode(
        "a b", grammar=grammar_of(RULES), constraints=[SpanConstraint(0, 2, "{0}", reads_as="x y z")]
    )
    assert other.viterbi().sentence(0) == ["{0}"]
    assert other.viterbi().scores[0] == pytest.approx(one.viterbi().scores[0])
    assert other.viterbi().scores[0] == pytest.approx(
        WEIGHTS["LanguageModel"] * lm.score("x y z") - 3 * WEIGHTS["WordPenalty"] / 2.302585, abs=1e-5
    )


def test_lists_are_the_same_for_any_number_of_threads(lm):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    jobs = [("a b a b", [SpanConstraint(i % 4, i % 4 + 1, f"t{i}")]) for i in range(30)]
    texts = [
        [
            (list(k.sentences()), k.scores.tolist())
            for k in decoder.lists(jobs, kbest_lists(5), threads=threads)
        ]
        for threads in (1, 3)
    ]
    assert texts[0] == texts[1]
    assert all(f"t{i}" in words for i, (found, _) in enumerate(texts[0]) for words in found)


@pytest.mark.parametrize(
    "constraints",
    [
        [SpanConstraint(0, 3, "x")],
        [SpanConstraint(1, 1, "x")],
        [SpanConstraint(-1, 1, "x")],
        [SpanConstraint(0, 1, " ")],
        [SpanConstraint(0, 2, "x"), SpanConstraint(1, 2, "y")],
    ],
)
def test_impossible_constraints_are_refused(lm, constraints):
    decoder = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES))
    with pytest.raises(DemoticError, match="constraint"):
        decoder.decode("a b", constraints=constraints)


def test_constrained_hypergraphs_are_not_saved(lm, tmp_path):
    graph = Decoder(lm, Weights.from_dict(WEIGHTS), grammar_of(RULES)).decode(
        "a b", constraints=[SpanConstraint(0, 1, "x")]
    )
    with pytest.raises(DemoticError, match="cannot be saved"):
        graph.save(tmp_path / "graph.bin")
    with pytest.raises(DemoticError, match="cannot be saved or packed"):
        graph.pack()
    decode(lm, RULES, list("ab")).save(tmp_path / "graph.bin")
