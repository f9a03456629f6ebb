"""cdec's k-best lists of 20 sentences: same grammars, language model and weights."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from demotic.decode import DecodeOptions, Decoder
from demotic.features import Weights
from demotic.grammar import read_grammar, read_segments
from demotic.lm import LanguageModel

Hypothesis = tuple[str, dict[str, float], float]


def parse(lines) -> dict[int, list[Hypothesis]]:
    lists: dict[int, list[Hypothesis]] = {}
    for line in lines:
        number, words, features, score = line.rstrip("\n").split(" ||| ")
        values = {
            name: float(value) for name, _, value in (cell.rpartition("=") for cell in features.split())
        }
        lists.setdefault(int(number), []).append((words, values, float(score)))
    return lists


@pytest.fixture(scope="module")
def arpa(golden: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lm") / "lm3.arpa"
    path.write_bytes(lzma.decompress((golden / "lm3.arpa.xz").read_bytes()))
    return path


@pytest.fixture(scope="module", params=[200, 2000])
def lists(
    request, golden: Path, arpa: Path
) -> tuple[int, dict[int, list[Hypothesis]], dict[int, list[Hypothesis]]]:
    """Pop limit, cdec's lists, ours."""
    with lzma.open(golden / f"kbest.pop{request.param}.xz", "rt", encoding="utf-8") as file:
        theirs = parse(file)
    weights = Weights.load(golden / "weights.txt")
    decoder = Decoder(LanguageModel.load(arpa), weights, options=DecodeOptions(pop_limit=request.param))
    jobs = [
        (segment.sentence, read_grammar(segment.grammar)) for segment in read_segments(golden / "exact.sgm")
    ]
    ours: dict[int, list[Hypothesis]] = {}
    for number, found in enumerate(decoder.kbest_with_grammars(jobs, 100)):
        for i in range(len(found)):
            ids, values = found.row(i)
            features = {
                weights.index.name(id_): value
                for id_, value in zip(ids.tolist(), values.tolist(), strict=True)
            }
            ours.setdefault(number, []).append(
                (" ".join(found.sentence(i)), features, float(found.scores[i]))
            )
    return request.param, theirs, ours


def test_string_features_agree(lists):
    _, theirs, ours = lists
    shared = 0
    for number, hypotheses in theirs.items():
        mine = {words: features for words, features, _ in ours[number]}
        for words, features, _ in hypotheses:
            if words in mine:
                shared += 1
                for name in ("LanguageModel", "LanguageModel_OOV", "WordPenalty"):
                    assert mine[words].get(name, 0) == pytest.approx(features.get(name, 0), abs=1e-3), (
                        number,
                        words,
                        name,
                    )
    assert shared >= 1900


def test_scores_are_as_good(lists):
    pop_limit, theirs, ours = lists
    if pop_limit == 200:
        assert sum(ours[n][0][2] for n in theirs) >= sum(theirs[n][0][2] for n in theirs) - 1e-2
        return
    assert all(ours[n][0][2] >= theirs[n][0][2] - 1e-2 for n in theirs)
    pairs = [
        ({w: s for w, _, s in ours[n]}.get(words), score) for n in theirs for words, _, score in theirs[n]
    ]
    good = [mine >= score - 1e-3 for mine, score in pairs if mine is not None]
    assert sum(good) >= 0.95 * len(good) > 0


def test_lists_are_sorted_unique_and_consistent(lists, golden: Path):
    _, _, ours = lists
    weights = dict(line.split() for line in (golden / "weights.txt").read_text().splitlines())
    for hypotheses in ours.values():
        scores = [score for _, _, score in hypotheses]
        assert scores == sorted(scores, reverse=True)
        assert len({words for words, _, _ in hypotheses}) == len(hypotheses) == 100
        for _, features, score in hypotheses:
            assert sum(
                float(weights.get(name, 0)) * value for name, value in features.items()
            ) == pytest.approx(score, abs=1e-6)


@pytest.mark.slow
def test_language_model_values_are_kenlms(lists, arpa: Path):
    pop_limit, _, ours = lists
    if pop_limit != 200:
        pytest.skip("once is enough")
    model = pytest.importorskip("kenlm").Model(str(arpa))
    for hypotheses in ours.values():
        for words, features, _ in hypotheses:
            assert features["LanguageModel"] == pytest.approx(model.score(words), abs=1e-3)
            assert features.get("LanguageModel_OOV", 0) == sum(word not in model for word in words.split())
