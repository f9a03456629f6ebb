# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
# ---
# %% [markdown]
# # Hiero by hand
# A hierarchical grammar translates by synchronous rules: both sides are written at once, and gaps `[X,1]`, `[X,2]` are filled by
# other rules (Chiang 2007). We write six rules, decode one sentence, and check the decoder's arithmetic.

# %%
import tempfile
from pathlib import Path

from demotic.decode import Decoder, feature_parts
from demotic.features import Weights
from demotic.grammar import Grammar, Rule
from demotic.lm import LanguageModel, LmOptions, train

folder = Path(tempfile.mkdtemp())
(folder / "text").write_text("he promised me the book\nhe has promised me a book\nthe book is red\n" * 3, "utf-8")
train([folder / "text"], LmOptions(order=2), folder / "lm.bin")
lm = LanguageModel.load(folder / "lm.bin")

# %% [markdown]
# In German the participle stands at the end. One rule with two gaps moves it: *hat X1 X2 versprochen* is *promised X1 X2*.

# %%
grammar = Grammar.from_rules(
    [
        Rule(("er",), ("he",), features={"P": -0.1}),
        Rule(("mir",), ("me",), features={"P": -0.2}),
        Rule(("das", "buch"), ("the", "book"), features={"P": -0.3}),
        Rule(("hat", "[X,1]", "[X,2]", "versprochen"), ("promised", "[X,1]", "[X,2]"), features={"P": -0.7}),
        Rule(("hat",), ("has",), features={"P": -0.4}),
        Rule(("versprochen",), ("promised",), features={"P": -0.4}),
    ]
)
weights = Weights.from_dict({"LanguageModel": 1.0, "P": 1.0, "Glue": -0.5, "PassThrough": -5.0, "WordPenalty": 0.0})
graph = Decoder(lm, weights, grammar).decode("er hat mir das buch versprochen")
best = graph.viterbi()
print(" ".join(best.sentence(0)), best.scores[0])
assert best.sentence(0) == "he promised me the book".split()

# %% [markdown]
# The hypergraph holds every derivation that search kept. The best one as a list of rules, from the top down:

# %%
total = 0.0
for rule in graph.derivation(best).rules():
    print(f"{rule.score:+8.3f} ", *rule.source, "→", *rule.target)
    for part in feature_parts(rule, graph, weights):
        print(f"            {part.name}: {part.value:.3g} × {part.weight:.3g}")
    total += rule.score
assert abs(total - best.scores[0]) < 1e-5

# %% [markdown]
# Now make the reordering rule expensive. The glue rule, which only puts pieces in a row, takes over, and the verb stays where the German has it.

# %%
expensive = Grammar.from_rules([rule if "versprochen" not in rule.source or len(rule.source) == 1 else
                                Rule(rule.source, rule.target, features={"P": -9.0}) for rule in grammar])
other = Decoder(lm, weights, expensive).decode("er hat mir das buch versprochen").viterbi()
print(" ".join(other.sentence(0)), other.scores[0])
assert other.sentence(0)[-1] == "promised"
