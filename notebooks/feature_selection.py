# ---
# jupyter:
#   jupytext: {text_representation: {extension: .py, format_name: percent}}
# ---
# %% [markdown]
# # What feature selection does
# Sparse features are many, and most are seen once. Simianer et al. (2012) learn on shards in parallel and keep, after each epoch, the K
# features whose *columns*, the weights of one feature in all shards, have the largest l2 norm. A feature that several shards found useful
# stays; one that a single shard learnt by chance goes, unless it is very large. First with invented weights, whose accidents are small
# (deviation 0.3); with 0.5 some of them are large enough to be kept, and fewer than 95% of those kept are useful: try it.

# %%
import numpy as np

rng = np.random.default_rng(1)
shards, features, useful = 10, 1_000, 50
weights = np.zeros((shards, features))
weights[:, :useful] = rng.normal(0.5, 0.2, (shards, useful))  # every shard finds these
for shard in weights:
    shard[rng.choice(np.arange(useful, features), 60, replace=False)] = rng.normal(0, 0.3, 60)  # accidents of one shard
norms = np.linalg.norm(weights, axis=0)
kept = np.argsort(-norms, kind="stable")[:useful]
share = np.mean(kept < useful)
print(f"{np.count_nonzero(norms)} features have a weight; of the {useful} kept, {100 * share:.0f}% are useful ones")
assert share > 0.95

# %% [markdown]
# Averaging alone (`itermix`) keeps all of them, each divided by the number of shards. Now the two learners on the embedded corpus.

# %%
import tempfile
from pathlib import Path

from demotic.cluster import executor
from demotic.corpus.embedded import EmbeddedOptions, write
from demotic.decode import TranslationModel
from demotic.evaluate import compare
from demotic.pipeline import TrainInput, TuneInput, make_learner, train, tune

folder = Path(tempfile.mkdtemp())
write(folder, EmbeddedOptions(train=300, dev=20, devtest=20, test=60))
train(TrainInput(folder / "train.de", folder / "train.en"), folder / "model", workers=2)
source = (folder / "test.de").read_text("utf-8").splitlines()
translations, counts = {}, {}
for name, options in [("itermix", {}), ("itersel", {"select": 200})]:
    learner = make_learner(name, {"epochs": 2, "shards": 4, **options})
    task = TuneInput(folder / "model", on_train=True, sentences=80, templates=("id", "src_ngram"))
    with executor("local") as workers:
        tune(task, learner, folder / name, workers)
    model = TranslationModel(folder / name)
    counts[name] = int(np.count_nonzero(model.weights.values))
    translations[name] = [list(model.translate(source))]
    print(f"{name}: {counts[name]} features with a weight")
print(compare(translations, [(folder / "test.en").read_text("utf-8").splitlines()]).to_table())
assert counts["itersel"] <= 220 < counts["itermix"]  # 200, and the dense ones

# %% [markdown]
# Here selection costs BLEU: 200 features are few for 80 sentences, of which most words occur once. Raise `select` to 1,000, or take more sentences and
# shards, and look again. In the paper selection made models smaller by orders of magnitude and did not cost BLEU; [Results](../docs/results.md)
# has both learners on real text.
