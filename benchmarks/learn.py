"""Learning on training data: CPU per sentence against dtrain's cost, its parts, memory with millions of weights, speed-up by workers.

Epochs after the first are in `forests`.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import tomli_w
from rich.console import Console

from benchmarks import measure
from benchmarks.grammar import index_of, prepared
from demotic.base.files import make_folder
from demotic.base.run import Run
from demotic.cli.common import table
from demotic.cluster import executor
from demotic.corpus import PrepareOptions, Preprocessor
from demotic.decode import Decoder, TranslationModel
from demotic.decode.model_folder import INDEX, LM, MODEL_TOML, WEIGHTS
from demotic.decode.options import HAND_SET_WEIGHTS
from demotic.features import Weights
from demotic.learn import LearnSettings, OnlineLearner, PerceptronOptions, TuningTask, training_examples
from demotic.lm import train
from demotic.pipeline.train_options import TrainOptions

# dtrain on Multi30k, 100-best, one epoch: units of work a sentence with 12 features and with rule id, source bigrams and shapes.
_DTRAIN = {"": 2.7, "id,src_ngram,shape": 12.5}
_EVERYTHING = "id,src_ngram,shape,tgt_ngram,tgt_gap,word_pair,length,count_bin"
_SENTENCES, _MANY = 300, 6000
_REPEATS = 5
# Corpora whose first epoch is taken apart, and training sentences.
CORPORA = {"multi30k": 2000, "europarl": 300}


def run(unit: float) -> None:
    """Print the tables."""
    _print_parts()
    folder = model()
    rows = []
    for templates, sentences, workers in (
        ("", _SENTENCES, 1),
        ("id,src_ngram,shape", _SENTENCES, 1),
        ("id,src_ngram,shape", _SENTENCES, 2),
        (_EVERYTHING, _MANY, 2),
    ):
        cost = measure.in_process(learn, folder, templates, sentences, workers)
        cpu, peer = cost.result["cpu"] / sentences, _DTRAIN.get(templates)
        rows.append(
            (
                templates or "12 dense features",
                f"{sentences:,}",
                str(workers),
                f"{1e3 * cpu:.1f}",
                f"{sentences / cost.result['wall']:.0f}",
                f"{cost.result['features']:,}",
                f"{cost.peak:.0f} MB",
                f"{peer * unit / cpu:.0f}x" if peer else "",
            )
        )
    columns = [
        "templates",
        "sentences",
        "workers",
        "CPU ms",
        "sentences/s",
        "active features",
        "peak",
        "dtrain / this",
    ]
    Console(width=160).print(
        table("learn: one epoch of itermix on training data, leave-one-out, 100-best", columns, rows)
    )


def _print_parts() -> None:
    rows, counts = [], []
    for corpus, sentences in CORPORA.items():
        folder = model(corpus)
        repeats = [
            measure.in_process(parts, folder, "id,src_ngram,shape", sentences).result for _ in range(_REPEATS)
        ]
        name = (corpus, f"{sentences:,}")
        rows.append((*name, *(spread([each["ms"][part] for each in repeats]) for part in repeats[0]["ms"])))
        counts.append((*name, *(f"{value:,.0f}" for value in repeats[0]["work"].values())))
    columns = ["corpus", "sentences", "extraction", "its last quarter", "decoding", "100-best", "all"]
    title = "learn: CPU ms a sentence of a first epoch, leave-one-out, one thread; median of five and range"
    Console(width=160).print(table(title, columns, rows))
    columns = ["corpus", "sentences", *repeats[0]["work"]]
    Console(width=160).print(table("learn: work a sentence of the same", columns, counts))


def spread(figures: Sequence[float]) -> str:
    """Median and range."""
    return f"{median(figures):.1f} ({min(figures):.1f}-{max(figures):.1f})"


def parts(folder: Path, templates: str, sentences: int) -> dict[str, dict[str, float]]:
    """CPU ms a sentence of what an epoch does before its weights are updated, and counts of what it is about.

    The last quarter of extraction has a warm cache.
    """
    model_ = TranslationModel(folder)
    template_set = model_.template_set(tuple(templates.split(",")), None)
    decoder = Decoder(model_.lm, model_.weights, model_.index, template_set, model_.options.decode)
    examples = training_examples(model_, sentences)
    times, work = [], Counter[str]()
    for example in examples:
        begin = time.thread_time()
        grammar = model_.index.grammar(example.source, example.number)
        extracted = time.thread_time()
        graph = decoder.decode(example.source, grammar=grammar)
        decoded = time.thread_time()
        graph.kbest(100, unique=True)
        times.append((extracted - begin, decoded - extracted, time.thread_time() - decoded))
        work.update(words=len(example.source.split()), rules=len(grammar))
        work.update(nodes=graph.native.node_count, edges=graph.native.edge_count)
    extractor = model_.index.extractor
    work["patterns"] = extractor.cache_hits + extractor.cache_misses
    work["not in the cache"] = extractor.cache_misses
    extraction, decoding, kbest = (1e3 * sum(each) / len(times) for each in zip(*times, strict=True))
    last = times[-len(times) // 4 :]
    return {
        "ms": {
            "extraction": extraction,
            "warm": 1e3 * sum(each[0] for each in last) / len(last),
            "decoding": decoding,
            "kbest": kbest,
            "all": extraction + decoding + kbest,
        },
        "work": {name: count / len(times) for name, count in work.items()},
    }


def learn(folder: Path, templates: str, sentences: int, workers: int, where: str = "local") -> dict[str, Any]:
    """One epoch in two shards; the model is loaded before the clock starts."""
    names = tuple(name for name in templates.split(",") if name)
    task = TuningTask(folder, names, training_examples(TranslationModel(folder), sentences))
    learner = OnlineLearner("itermix", "itermix", PerceptronOptions(epochs=1, shards=2))
    with tempfile.TemporaryDirectory() as out, Run(out) as run_, executor(where, workers) as workers_:
        wall, cpu = time.perf_counter(), time.process_time()
        tuned = learner.fit(task, LearnSettings(run_, workers_))
        return {
            "wall": time.perf_counter() - wall,
            "cpu": time.process_time() - cpu,
            "features": tuned.history[-1]["active_features"],
            "bytes": len(tuned.weights),
        }


def model(corpus: str = "multi30k") -> Path:
    """A model folder of a corpus with the default language model, made once."""
    folder = measure.CACHE / f"{corpus}.model"
    if (folder / MODEL_TOML).exists():
        return folder
    make_folder(folder)
    bitext = prepared(corpus)
    index = measure.in_process(index_of, bitext).result["path"]
    shutil.copy(index, folder / INDEX)
    train([bitext.with_suffix(".en")], TrainOptions().lm, folder / LM)
    Weights.from_dict(HAND_SET_WEIGHTS["cdec12"]).save(folder / WEIGHTS)
    Preprocessor(PrepareOptions(tokenized=True)).save_tables(folder)
    (folder / MODEL_TOML).write_text(tomli_w.dumps({"prepare": {"tokenized": True}}), "utf-8")
    return folder
