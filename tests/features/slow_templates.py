"""The templates once more, word for word from their definitions, and random rules to try them on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from demotic.corpus import WordClasses
from demotic.grammar import Grammar, Rule, parse_grammar

FIGURE_1 = """\
[X] ||| [X,1] hat [X,2] versprochen ||| [X,1] promised [X,2] ||| CountEF=0.30103 ||| 3-1
[X] ||| [X,1] hat mir [X,2] versprochen ||| [X,1] promised me [X,2] ||| CountEF=0.60206 ||| 2-2 4-1
[X] ||| [X,1] versprach [X,2] ||| [X,1] promised [X,2] ||| CountEF=0.845098 ||| 1-1
"""  # seed 000: counts 1, 3 and 6

NASTY = "ab_:%=|[]<>,/r1X5FüÄ中\u00a0\u2028\u3000\x85\x1c&;#\ufeff"


def grammar_of(text: str) -> Grammar:
    """A grammar from lines in cdec's format."""
    return parse_grammar(text)


def is_word(text: str) -> bool:
    """Whether cdec's format can hold a word; it has no escapes."""
    return "|||" not in text and not re.fullmatch(r"\[(.*,)?[12]\]", text)


words = st.text(NASTY, min_size=1, max_size=4).filter(is_word) | st.sampled_from(
    ["<r>", "</r>", "X1", "[X]", "N", "%5F"]
)


@st.composite
def rules(draw: st.DrawFn) -> str:
    """A line with a rule of up to two nonterminals, links anywhere and a count."""
    nonterminals = draw(st.integers(0, 2))
    labels = [draw(st.sampled_from(["X", "X", "NP"])) for _ in range(nonterminals)]
    source: list[str] = draw(st.lists(words, min_size=0 if nonterminals else 1, max_size=4))
    places = sorted(draw(st.integers(0, len(source))) for _ in labels)
    for number, (place, label) in enumerate(zip(places, labels, strict=True), start=1):
        source.insert(place + number - 1, f"[{label},{number}]")
    target: list[str] = draw(st.lists(words, max_size=4))
    for number in draw(st.permutations(range(1, nonterminals + 1))):
        target.insert(draw(st.integers(0, len(target))), f"[{labels[number - 1]},{number}]")
    left = draw(st.sampled_from(["X", "X", "S"]))
    links = st.tuples(st.integers(0, len(source) - 1), st.integers(0, max(len(target) - 1, 0)))
    alignment = sorted(draw(st.sets(links, max_size=4))) if target else []
    text = " ".join(f"{i}-{j}" for i, j in alignment)
    count = draw(st.sampled_from([0, 0.30103, 0.47712, 0.60206, 0.69897, 1.0, 2.47857]))
    return f"[{left}] ||| {' '.join(source)} ||| {' '.join(target)} ||| CountEF={count} ||| {text}"


grammars = st.lists(rules(), min_size=1, max_size=6)


def escape(word: str) -> str:
    """Percent signs for what has a meaning in names, for control characters and for what Python counts as white space."""
    special = lambda c: c in "%=|_[<" or c.isspace() or ord(c) < 32 or 127 <= ord(c) <= 160  # noqa: E731
    return "".join("".join(f"%{b:02X}" for b in c.encode()) if special(c) else c for c in word)


def nonterminal(symbol: str) -> tuple[str, str] | None:
    """Label and number of a nonterminal."""
    match = re.fullmatch(r"\[(.*),([12])\]", symbol)
    return (match[1], match[2]) if match else None


def text(symbol: str, numbered: bool = True) -> str:
    """A symbol as it stands in names."""
    found = nonterminal(symbol)
    if found is None:
        return escape(symbol)
    label, number = found
    if not numbered:
        return f"[{label}]"
    return f"[{number}]" if label == "X" else f"[{label},{number}]"


def ngrams(symbols: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Windows over the symbols with the rule's edges; None stands for those."""
    edged = ["<r>", *symbols, "</r>"]
    windows = [range(i, i + n) for i in range(len(edged) - n + 1)]
    inner = set(range(1, len(edged) - 1))
    if n == 1:
        windows = [window for window in windows if set(window) <= inner]
    return [tuple((edged[i], i in inner) for i in window) for window in windows if inner & set(window)]  # type: ignore[misc]


def shape(symbols: Sequence[str]) -> str:
    """N for nonterminals, + for words, runs collapsed."""
    return re.sub(r"\++", "+", "".join("N" if nonterminal(symbol) else "+" for symbol in symbols))


Spell = Callable[[str], str]


def slow_features(
    template: str,
    rule: Rule,
    left: str,
    orders: Sequence[int] = (2,),
    classes: tuple[WordClasses, WordClasses] | None = None,
) -> dict[str, float]:
    """The features of a rule by one template; of classes, `class_id:50` and so on, with the classes of both sides."""
    kind = template.partition(":")[0]
    if classes is None:
        details = slow_details(template, rule, left, orders, text, text)
    elif kind == "word_class_pair":
        source, target = map(spell, classes)
        details = [
            *slow_details("links", rule, left, orders, text, target),
            *slow_details("links", rule, left, orders, source, text),
        ]
    else:
        details = slow_details(kind.removeprefix("class_"), rule, left, orders, *map(spell, classes))
    return {f"{template}:{detail}": float(times) for detail, times in Counter(details).items()}


def spell(classes: WordClasses) -> Spell:
    """Words as their classes."""
    return lambda symbol: text(symbol) if nonterminal(symbol) else f"<{classes.of(symbol)}>"


def slow_details(
    template: str, rule: Rule, left: str, orders: Sequence[int], src: Spell, tgt: Spell
) -> list[str]:
    """What stands behind the colon; symbols of both sides are spelt by functions."""
    source, target = rule.source, rule.target
    in_source = [i for i, symbol in enumerate(source) if not nonterminal(symbol)]
    in_target = [j for j, symbol in enumerate(target) if not nonterminal(symbol)]
    links = [(i, j) for i, j in rule.alignment if i in in_source and j in in_target]
    deleted = [i for i in in_source if i not in {i for i, _ in links}] if rule.alignment else []
    inserted = [j for j in in_target if j not in {j for _, j in links}] if rule.alignment else []
    gap = lambda symbol: text(symbol, numbered=False) if nonterminal(symbol) else src(symbol)  # noqa: E731
    details: list[str] = []
    match template:
        case "id":
            sides = "_".join(map(src, source)) + "|" + "_".join(map(tgt, target))
            details.append(sides if left == "X" else f"[{left}]|{sides}")
        case "src_ngram":
            for window in (window for n in orders for window in ngrams(source, n)):
                details.append("_".join(gap(s) if inner else s for s, inner in window))
        case "tgt_ngram" | "tgt_gap":
            for window in (window for n in orders for window in ngrams(target, n)):
                if any(inner and nonterminal(s) for s, inner in window) == (template == "tgt_gap"):
                    details.append("_".join(tgt(s) if inner else s for s, inner in window))
        case "shape":
            details.append(f"{shape(source)}|{shape(target)}")
        case "length":
            details.append(f"{len(in_source)}|{len(in_target)}")
        case "count_bin":
            count = round(10 ** rule.features["CountEF"] - 1)
            bins = [(0, 0), (1, 1), (2, 2), *((2**i + 1, 2 ** (i + 1)) for i in range(1, 30))]
            low, high = next(bounds for bounds in bins if bounds[0] <= count <= bounds[1])
            details.append(f"{low}" if low == high else f"{low}-{high}")
        case "links" | "word_pair":
            details += [f"{src(source[i])}|{tgt(target[j])}" for i, j in links]
            if template == "word_pair":
                details += [f"{src(source[i])}|" for i in deleted]
                details += [f"|{tgt(target[j])}" for j in inserted]
        case "fertility":
            fertility = Counter(i for i, _ in links)
            details += [f"{src(source[i])}|{fertility[i]}" for i in in_source if rule.alignment]
        case "unaligned":
            details += [f"{len(deleted)}|{len(inserted)}"] if rule.alignment else []
    return details
