"""k-best lists on their way into the pool, against dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.cluster import executor
from demotic.decode import KBest, TranslationModel
from demotic.evaluate import BLEU, References
from demotic.features import TemplateSet, Weights
from demotic.learn import CandidateOptions, KBestPool, TuningTask, training_examples
from demotic.learn.options import LeaveOutOptions
from demotic.learn.workers.decoding import DecodingJob, Recipe
from demotic.learn.workers.kbest_lists import KBestLists, join
from demotic.learn.workers.kbest_work import KBestWork, ListBuilder
from demotic.learn.workers.message import Message
from demotic.learn.workers.shards import make_blocks

TEMPLATES = ("id", "shape")
NAMES = ["Glue", "LanguageModel", "id:a|b", "shape:N|N"]
Key = tuple[tuple[str, ...], tuple[tuple[str, float], ...]]


class FakeList:
    """The parts of a KBest that matter here."""

    def __init__(self, hypotheses: list[Key], weights: Weights) -> None:
        self.hypotheses = hypotheses
        self.vocabulary = sorted({word for words, _ in hypotheses for word in words})
        self.words = np.array(
            [self.vocabulary.index(word) for words, _ in hypotheses for word in words], dtype=np.uint32
        )
        self.word_begins = begins(words for words, _ in hypotheses)
        self.features = np.array(
            [weights.index.intern(name) for _, row in hypotheses for name, _ in row], dtype=np.uint32
        )
        self.values = np.array([value for _, row in hypotheses for _, value in row], dtype=float)
        self.row_begins = begins(row for _, row in hypotheses)

    def __len__(self) -> int:
        return len(self.hypotheses)


class LengthMetric:
    def statistics(self, references: object, kbest: FakeList) -> np.ndarray:
        return np.array([[len(words)] * 10 for words, _ in kbest.hypotheses], dtype=np.int32).reshape(-1, 10)


def begins(rows: object) -> np.ndarray:
    return np.cumsum([0, *(len(row) for row in rows)]).astype(np.uint64)  # type: ignore[attr-defined]


WORDS = st.lists(st.sampled_from(["a", "b", "ab", ""]), max_size=3).map(tuple)
ROWS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0.0, 1.0, -2.0, 0.1])).map(
    lambda row: tuple(sorted(row.items()))
)
LISTS = st.lists(st.tuples(WORDS, ROWS), max_size=6)


def lists_of(sentences: list[list[Key]], order: list[str]) -> KBestLists:
    """Sentences in two shards, even and odd ones; `order` is that of the feature ids."""
    parts = []
    for first in (0, 1)[: len(sentences)]:
        weights = Weights.from_dict(dict.fromkeys(order, 0.0))
        builder = ListBuilder(weights.index, LengthMetric())  # type: ignore[arg-type]
        for sentence in sentences[first::2]:
            fake = FakeList(sentence, weights)
            builder.add(fake, fake, None)  # type: ignore[arg-type]
        packed = builder.lists().message().pack()
        parts.append((range(first, len(sentences), 2), KBestLists.from_message(Message.unpack(packed))))
    return join(parts, len(sentences))


@given(
    st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(LISTS, min_size=n, max_size=n), max_size=3)),
    st.permutations(NAMES),
)
@settings(max_examples=60, deadline=None)
def test_the_pool_equals_a_dictionary(iterations: list[list[list[Key]]], order: list[str]):
    size = len(iterations[0]) if iterations else 2
    pool = KBestPool(size)
    naive: list[dict[Key, None]] = [{} for _ in range(size)]
    for sentences in iterations:
        before = sum(map(len, naive))
        for known, sentence in zip(naive, sentences, strict=True):
            for words, row in sentence:
                known.setdefault((words, tuple((name, value) for name, value in row if value)))
        assert pool.add(lists_of(sentences, order)) == sum(map(len, naive)) - before
        order = order[::-1]  # another worker numbers the features in another way
    assert np.diff(pool.begins).tolist() == [len(known) for known in naive]
    rows = [key for known in naive for key in known]
    expected = [[dict(row).get(name, 0.0) for name in NAMES] for _, row in rows]
    assert pool.dense(NAMES) == pytest.approx(np.array(expected).reshape(-1, len(NAMES)))
    assert pool.statistics[:, 0].tolist() == [len(words) for words, _ in rows]
    columns = [pool.index.find(name) for name in NAMES]
    full = pool.matrix.toarray()
    for i, column in enumerate(columns):
        assert (full[:, column] if column is not None else np.zeros(len(pool))) == pytest.approx(
            pool.dense(NAMES)[:, i]
        )


def test_damaged_lists():
    packed = lists_of([[(("a",), (("Glue", 1.0),))]], NAMES).message().pack()
    assert KBestLists.from_message(Message.unpack(packed)).message().pack() == packed
    for size in range(len(packed)):
        with pytest.raises(DemoticError, match="damaged"):
            Message.unpack(packed[:size])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e300])
def test_numbers_that_are_not_finite(value: float):
    with pytest.raises(DemoticError, match=r"feature 'shape:N\|N' is not a finite number"):
        lists_of([[(("a",), (("Glue", 1.0), ("shape:N|N", value)))]], NAMES)


@pytest.fixture(scope="module")
def task(model: TranslationModel) -> TuningTask:
    return TuningTask(model.folder, TEMPLATES, training_examples(model, 9, seed=3))


def decoded(
    model: TranslationModel, task: TuningTask, weights: Weights, workers: int, block: int, **options: object
) -> KBestLists:
    blocks = make_blocks(task, block, LeaveOutOptions(), 1)
    work = [KBestWork(shard, CandidateOptions(**options), 7, 0) for shard in blocks]  # type: ignore[arg-type]
    job = DecodingJob(Recipe(task.model, task.templates))
    with executor("local", workers) as where:
        messages = list(where.map(job, work, weights.pack()))
    return join(
        [
            (shard.positions.tolist(), KBestLists.from_message(Message.unpack(m)))
            for shard, m in zip(blocks, messages, strict=True)
        ],
        len(task.examples),
    )


def pool_of(*lists: KBestLists) -> KBestPool:
    pool = KBestPool(lists[0].sentences)
    for each in lists:
        pool.add(each)
    return pool


def test_what_the_decoder_gives(model: TranslationModel, task: TuningTask):
    lists = decoded(model, task, model.weights, 2, 4, k=15)
    pool = pool_of(lists)
    weights = Weights.unpack(model.weights.pack(), pool.index)
    decoder = model.decoder.with_weights(Weights.unpack(model.weights.pack()))
    decoder.templates = TemplateSet(TEMPLATES)
    for s, example in enumerate(task.examples):
        kbest: KBest = decoder.decode(example.source, exclude=example.number).kbest(15, unique=True)
        rows = slice(pool.begins[s], pool.begins[s + 1])
        assert pool.scores(weights)[rows] == pytest.approx(kbest.scores, abs=1e-4)
        statistics = BLEU.statistics(References(example.reference_words()), kbest)
        assert (pool.statistics[rows] == statistics).all()
        assert (lists.best[s] == statistics[0]).all()
    assert (pool.best(weights) == pool.begins[:-1]).all()
    assert 0 < pool.bleu(weights) < 100


@pytest.mark.parametrize("kind", ["kbest", "samples"])
def test_neither_workers_nor_blocks_matter(model: TranslationModel, task: TuningTask, kind: str):
    first = decoded(model, task, model.weights, 1, 100, k=15, candidates=kind)
    second = decoded(model, task, model.weights, 3, 2, k=15, candidates=kind)
    assert first.message().pack() == second.message().pack()
    assert (np.diff(first.begins) > 1).all()


def test_the_second_list_adds_what_is_new(model: TranslationModel, task: TuningTask):
    first = decoded(model, task, model.weights, 2, 4, k=10)
    longer = decoded(model, task, model.weights, 2, 4, k=30)
    pool = pool_of(first)
    fresh = pool.new(longer)
    assert pool.add(longer) == len(fresh) == len(longer) - len(first)
    assert pool.add(first) == pool.add(longer) == 0
    again = pool_of(first, KBestLists.from_message(Message.unpack(fresh.message().pack())))
    assert (again.matrix != pool.matrix).nnz == 0
    assert [again.index.name(i) for i in range(len(again.index))] == [
        pool.index.name(i) for i in range(len(pool.index))
    ]
