# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
# ---
# %% [markdown]
# # MERT's staircase
# Move the weights along a line, w + γd. The score of every translation is then a straight line in γ, the best translation of a sentence is the
# upper envelope of its lines, and BLEU changes only where an envelope has a corner: BLEU over γ is a staircase. MERT (Och 2003)
# computes all steps exactly and takes the middle of the best one.

# %%
import numpy as np

from demotic import _core
from demotic.evaluate import References, tuning_metric

references = ["the man sits on the bench", "a dog runs through the park", "she reads an old book"]
lists = [
    ["the man sits on the bench", "the man sits on the bank", "man sits the bench on", "the bench"],
    ["a dog runs through the park", "a dog walks in park", "dog a park runs", "a dog runs in the park"],
    ["she reads an old book", "she reads old a book", "reads she book", "she an old book reads"],
]
rng = np.random.default_rng(4)
features = rng.normal(size=(12, 2))
begins = np.array([0, 4, 8, 12], dtype=np.uint64)
metric = tuning_metric("bleu")
statistics = np.concatenate(
    [
        metric.corpus_statistics([line.split() for line in lines], [References([reference.split()])] * len(lines))
        for lines, reference in zip(lists, references, strict=True)
    ]
)

# %% [markdown]
# Brute force: the corners are among the crossings of two lines of one sentence. Between two corners nothing changes.

# %%
point, direction = np.array([0.3, 0.2]), np.array([0.2, -1.0])
offsets, slopes = features @ point, features @ direction
crossings = sorted(
    (offsets[a] - offsets[b]) / (slopes[b] - slopes[a])
    for begin in (0, 4, 8) for a in range(begin, begin + 4) for b in range(a + 1, begin + 4)
)


def bleu_at(gamma):
    chosen = [begin + int(np.argmax((offsets + gamma * slopes)[begin : begin + 4])) for begin in (0, 4, 8)]
    return metric.score(statistics[chosen].sum(axis=0))


edges = [crossings[0] - 1, *crossings, crossings[-1] + 1]
middles = [(left + right) / 2 for left, right in zip(edges, edges[1:], strict=False)]
steps = [bleu_at(gamma) for gamma in middles]
for gamma, bleu in zip(middles, steps, strict=True):
    print(f"γ = {gamma:+8.3f}   BLEU {bleu:6.2f}  {'█' * int(bleu / 2)}")

# %% [markdown]
# The core finds the same best step without trying every crossing.

# %%
search = _core.LineSearch(features, begins, statistics, metric.native)
(optimum,) = search.search(point, direction[None, :])
print(f"best γ by line search: {optimum.gamma:.3f}, BLEU {bleu_at(optimum.gamma):.2f}")
assert abs(bleu_at(optimum.gamma) - max(steps)) < 1e-9
