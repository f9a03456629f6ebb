"""The algorithms of Simianer, Riezler and Dyer (2012) as printed, with dictionaries and no regard for speed.

Sums are taken in the order of feature ids, as in the core: from zero weights many hypotheses score the same, and a rounding error
would decide between them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from demotic.decode import KBest, TranslationModel
from demotic.evaluate import References, sentence_metric
from demotic.features import TemplateSet, Weights
from demotic.learn import Example

Vector = dict[str, float]
K = 20


def pairs_of(metric: Sequence[float]) -> list[tuple[int, int]]:
    """Figure 3: HI-MID, HI-LOW, MID-LOW with levels of 10, 80 and 10 per cent; no pair of equals."""
    order = sorted(range(len(metric)), key=lambda i: (-metric[i], i))
    share = max(1, int(0.1 * len(order) + 0.5))
    hi, mid, low = order[:share], order[share:-share], order[-share:]
    candidates = [*product(hi, [*mid, *low]), *product(mid, low)]
    return [(i, j) for i, j in candidates if metric[i] > metric[j]]


def rows(kbest: KBest, names: Sequence[str]) -> list[Vector]:
    """Features of every hypothesis by name."""
    return [{names[f]: v for f, v in zip(*map(list, kbest.row(i)), strict=True)} for i in range(len(kbest))]


def learn_pair(
    w: Vector,
    better: Vector,
    worse: Vector,
    rate: float,
    margin: float,
    names: Sequence[str],
    gradient: Vector | None = None,
) -> None:
    """w <- w - rate * (-x) if <w, x> <= margin; what `w` does not list goes to the gradient, if there is one."""
    place = {name: i for i, name in enumerate(names)}
    both = sorted({**better, **worse}, key=lambda name: place[name])
    x = {name: better.get(name, 0) - worse.get(name, 0) for name in both}
    if sum(w.get(name, 0.0) * value for name, value in x.items()) <= margin:
        for name, value in x.items():
            into = w if gradient is None or name in w else gradient
            if value:
                into[name] = into.get(name, 0.0) + rate * value


def epoch(
    model: TranslationModel,
    templates: Sequence[str],
    examples: Sequence[Example],
    start: Mapping[str, float],
    rate: float,
    margin: float,
) -> Vector:
    """One pass over the examples from given weights."""
    return _epoch(model, templates, examples, dict(sorted(start.items())), rate, margin, None)


def partial_epoch(
    model: TranslationModel,
    templates: Sequence[str],
    examples: Sequence[Example],
    start: Mapping[str, float],
    active: Collection[str],
    rate: float,
    margin: float,
) -> tuple[Vector, Vector]:
    """The same where only the active features are learnt: their weights, and what the others would have gained."""
    w = {name: start.get(name, 0.0) for name in sorted(active)}
    gradient: Vector = {}
    return _epoch(model, templates, examples, w, rate, margin, gradient), gradient


def _epoch(
    model: TranslationModel,
    templates: Sequence[str],
    examples: Sequence[Example],
    w: Vector,
    rate: float,
    margin: float,
    gradient: Vector | None,
) -> Vector:
    weights = Weights.from_dict(w)
    decoder = model.decoder.with_weights(weights)
    decoder.templates = TemplateSet(templates)
    for example in examples:
        for name, value in w.items():
            weights.set(name, value)
        kbest = decoder.decode(example.source, exclude=example.number).kbest(K, unique=True)
        metric = sentence_metric("liang").scores(References(example.reference_words()), kbest)
        names = [weights.index.name(i) for i in range(len(weights.index))]
        vectors = rows(kbest, names)
        for i, j in pairs_of(metric):
            learn_pair(w, vectors[i], vectors[j], rate, margin, names, gradient)
    return w


def mean(vectors: Sequence[Vector]) -> Vector:
    """Absent is zero."""
    names = {name for vector in vectors for name in vector if vector[name]}
    return {name: sum(vector.get(name, 0.0) for vector in vectors) / len(vectors) for name in names}


def select(vectors: Sequence[Vector], k: int) -> Vector:
    """The mean of the k columns of largest l2 norm."""
    norm = {
        name: sum(vector.get(name, 0.0) ** 2 for vector in vectors) ** 0.5
        for vector in vectors
        for name in vector
        if vector[name]
    }
    kept = sorted(norm, key=lambda name: (-norm[name], name))[:k]
    return {name: mean(vectors)[name] for name in kept}


def norms(vectors: Sequence[Vector]) -> Vector:
    """l2 norms of columns, those that are 0 left out."""
    names = {name for vector in vectors for name in vector if vector[name]}
    return {name: sum(vector.get(name, 0.0) ** 2 for vector in vectors) ** 0.5 for name in names}


def shrunk(vectors: Sequence[Vector], penalty: float) -> Vector:
    """The mean after the proximal step of the group lasso, which is taken on sparse features only."""
    lengths, means = norms(vectors), mean(vectors)
    scale = {name: max(0.0, 1 - penalty / lengths[name]) if ":" in name else 1.0 for name in means}
    return {name: scale[name] * value for name, value in means.items() if scale[name] * value}
