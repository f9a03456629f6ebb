"""Corrections count at once, are on disk, and can be taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adapt.conftest import Lines
from demotic.adapt import CorrectionOptions, LearningModel, evidence_of
from demotic.adapt.correction import changed_weights, goes_on
from demotic.base import DemoticError
from demotic.base.errors import DemoticWarning
from demotic.cli.main import run
from demotic.decode import SpanConstraint, TranslationModel
from demotic.decode.additions import ADDITIONS, writing
from demotic.decode.model_folder import ModelFolder
from demotic.features import Weights
from demotic.grammar import ADDITION
from demotic.learn.online.perceptron import PerceptronOptions
from demotic.learn.online.rule import DataSize
from demotic.learn.registry import LEARNERS
from demotic.learn.task import Example
from demotic.learn.workers.epoch_statistics import EpochStatistics


def state(model: TranslationModel, sources: list[str]) -> tuple[object, ...]:
    """Weights, pairs and translations with their scores."""
    lists = [
        (list(found.sentences()), found.scores.tolist()) for found in model.kbest(iter(sources), 3, threads=1)
    ]
    return model.weights.to_dict(), len(model.index), lists


def test_the_next_translation_uses_a_correction(model: LearningModel):
    source, target = "Der Xylofant schläft .", "The xylophant sleeps ."
    before = next(model.translate([source]))
    assert "xylophant" not in before.lower()
    assert model.learn(source, target)
    assert "xylophant" in next(model.translate([source])).lower()
    assert "xylophant" in next(TranslationModel(model.folder).translate([source])).lower()


def test_undo_restores_the_state(model: LearningModel, corrections: Lines):
    sources = [source for source, _ in corrections]
    states = [state(model, sources)]
    for source, target in corrections[:3]:
        assert model.learn(source, target)
        states.append(state(model, sources))
        assert state(TranslationModel(model.folder), sources) == states[-1]
    assert states[0][0] != states[1][0] and states[0][2] != states[3][2]
    model.undo(2)
    assert state(model, sources) == states[1] == state(TranslationModel(model.folder), sources)
    assert model.undo() == 0
    assert state(model, sources) == states[0] == state(TranslationModel(model.folder), sources)
    with pytest.raises(DemoticError, match="no correction can be undone"):
        model.undo()
    model.learn(*corrections[0])
    assert state(model, sources) == states[1]


@pytest.mark.parametrize("learner", ["", "perceptron"])
def test_a_restart_before_any_correction_goes_on_to_the_last_bit(
    learnable: Path, corrections: Lines, tmp_path: Path, learner: str
):
    """Features get the same numbers from the log as from the decoder, so that sums over them round in the same way."""
    options = CorrectionOptions(weights=True, learner=learner)

    def log_of(restart: int) -> bytes:
        folder = shutil.copytree(learnable, tmp_path / f"{restart}", ignore=shutil.ignore_patterns("run"))
        for part in (corrections[:restart], corrections[restart:]):
            model = LearningModel(folder, options)
            for pair in part:
                assert model.learn(*pair)
        return (folder / ADDITIONS).read_bytes()

    assert {log_of(restart) for restart in range(1, len(corrections))} == {log_of(0)}


def test_a_step_numbers_no_features_of_the_model(model: LearningModel, corrections: Lines):
    source, target = model.prepared(*corrections[0])
    before = [model.weights.index.name(id_) for id_ in range(len(model.weights.index))]
    options = CorrectionOptions(weights=True)
    changed = changed_weights(model.decoder, source, target, options)
    assert changed.keys() - set(before), "the step meets features that the model has no weights for"
    assert [model.weights.index.name(id_) for id_ in range(len(model.weights.index))] == before


def test_a_merge_and_a_restart_change_nothing(model: LearningModel, corrections: Lines):
    sources = [source for source, _ in corrections]
    for source, target in corrections[:3]:
        model.learn(source, target)
    model.undo()
    plain = TranslationModel(model.folder)
    model.weights.set(ADDITION, 0.0)  # merged pairs are like others
    plain.weights.set(ADDITION, 0.0)
    expected = state(plain, sources)
    model.merge()
    model.weights.set(ADDITION, 0.0)
    assert state(model, sources) == expected
    assert model.additions.in_index == 2 and not model.additions.new and model.index.added == 0
    model.learn(*corrections[4])
    assert len(LearningModel(model.folder).index) == len(plain.index) + 1
    with pytest.raises(DemoticError, match="only 1 of 2 corrections can be undone") as error:
        model.undo(2)
    assert "demotic forget" in str(error.value)


def test_a_merge_that_dies_before_the_end_is_no_merge(model: LearningModel, corrections: Lines, monkeypatch):
    sources = [source for source, _ in corrections]
    model.learn(*corrections[0])
    expected = state(model, sources)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("demotic.adapt.rebuild.MergedIndex.publish", die)
    with pytest.raises(KeyboardInterrupt):
        model.merge()
    assert state(LearningModel(model.folder), sources) == expected
    assert LearningModel(model.folder).undo() == 0


def test_a_model_learns_while_its_additions_are_merged(model: LearningModel, corrections: Lines):
    """What is added meanwhile stays an addition, and can be undone."""
    sources = [source for source, _ in corrections]
    for pair in corrections[:2]:
        model.learn(*pair)
    with model.merging() as publish:
        model.learn(*corrections[2])
        model.weights.set(ADDITION, 0.0)
        assert publish()
    assert (model.additions.in_index, len(model.additions.new)) == (2, 1)
    assert state(model, sources) == state(LearningModel(model.folder), sources)
    model.undo()
    merged_at_once = state(model, sources)
    assert merged_at_once[1] == state(LearningModel(model.folder), sources)[1]
    with pytest.raises(DemoticError, match="no correction can be undone"):
        model.undo()


def test_what_was_taken_back_is_not_merged(model: LearningModel, corrections: Lines):
    sources = [source for source, _ in corrections]
    for pair in corrections[:2]:
        model.learn(*pair)
    with model.merging() as publish:
        model.undo()
        model.learn(*corrections[2])
        expected = state(model, sources)
        assert not publish()
    assert state(model, sources) == state(LearningModel(model.folder), sources) == expected
    assert not list(model.folder.glob("merge.*"))


def test_many_corrections_are_merged(model: LearningModel, corrections: Lines, monkeypatch):
    monkeypatch.setattr("demotic.adapt.learning_model._MERGE_PAIRS", 2)
    for pair in corrections[:4]:
        model.learn(*pair)
    assert (model.additions.in_index, len(model.additions.new)) == (3, 1)


def tuned_by(folder: Path, learner: str) -> LearningModel:
    ModelFolder(folder).set_weights(TranslationModel(folder).weights, {"learner": learner})
    return LearningModel(folder)


def test_a_step_is_one_of_the_learner_that_tuned_the_model(folder: Path, corrections: Lines):
    """The perceptron's by hand: its rule on the list of the sentence, from the weights as they are."""
    model = tuned_by(folder, "itersel")
    source, target = model.prepared(*corrections[0])
    found = changed_weights(model.decoder, source, target, CorrectionOptions(max_change=1e9), "itersel")
    rule = PerceptronOptions(k=100, metric="bleu+1").rule(model.weights.copy(), DataSize(1, 1))
    graph = model.decoder.with_weights(rule.weights).decode(source)
    rule.learn(Example(source, (target,)), graph, 0, EpochStatistics())
    by_hand = rule.weights.to_dict()
    assert found and found == pytest.approx({name: by_hand[name] for name in found})
    unbounded = LearningModel(folder, CorrectionOptions(max_change=1e9))
    assert unbounded.learn(*corrections[0])
    assert unbounded.additions.pairs[-1].weights == pytest.approx(found)


def test_learners_that_cannot_go_on_leave_the_step_to_mira(folder: Path, corrections: Lines):
    steps = []
    for learner in ("mira", "mert", "adagrad", "recipe", "hols", "unknown"):
        model = tuned_by(folder, learner)
        model.correction = CorrectionOptions(weights=True)
        model.learn(*corrections[0])
        steps.append(model.additions.pairs[-1].weights)
        model.undo()
    assert steps[0] and all(step == steps[0] for step in steps)


@pytest.mark.parametrize(
    ("tuned", "expected"), [("", True), ("mira", True), ("itersel", True), ("mert", False), ("recipe", False)]
)
def test_weights_of_batch_learners_stay_unless_asked_for(tuned: str, expected: bool):
    assert CorrectionOptions().moves_weights(tuned) == expected
    assert CorrectionOptions(weights=True).moves_weights(tuned)
    assert not CorrectionOptions(weights=False).moves_weights(tuned)
    assert not CorrectionOptions(weights=True, max_step=0).moves_weights(tuned)


@pytest.mark.parametrize("learner", [name for name in LEARNERS if goes_on(name)])
def test_every_learner_that_goes_on_makes_bounded_steps(folder: Path, corrections: Lines, learner: str):
    model = tuned_by(folder, learner)
    before = model.weights.to_dict()
    source, target = model.prepared(*corrections[0])
    options = CorrectionOptions(weights=True, max_change=0.001)
    found = changed_weights(model.decoder, source, target, options, learner)
    step = sum((value - before.get(name, 0.0)) ** 2 for name, value in found.items()) ** 0.5
    assert step <= 0.001 * sum(value**2 for value in before.values()) ** 0.5 * (1 + 1e-9)


def test_weights_can_be_left_alone_or_bounded(folder: Path, corrections: Lines):
    before = TranslationModel(folder).weights.to_dict()
    still = LearningModel(folder, CorrectionOptions(weights=False))
    assert still.learn(*corrections[0]) and still.weights.to_dict() == before
    still.undo()
    moves = []
    for step in (1e-6, 1e-3):
        model = LearningModel(folder, CorrectionOptions(max_step=step))
        model.learn(*corrections[0])
        after = model.weights.to_dict()
        moves.append(sum(abs(after.get(n, 0) - before.get(n, 0)) for n in {*after, *before}))
        model.undo()
    assert 0 < moves[0] < moves[1]
    with pytest.raises(DemoticError, match="max_step must be at least 0"):
        CorrectionOptions(max_step=-1)
    for learner in ("mert", "unknown"):
        with pytest.raises(DemoticError, match=f"'{learner}' cannot learn from one sentence"):
            CorrectionOptions(learner=learner)


def test_pairs_that_the_model_has_are_not_learnt_again(
    model: LearningModel, corpus: Path, corrections: Lines
):
    assert model.learn(*corrections[0]) and not model.learn(*corrections[0])
    known = [(corpus / f"train.{side}").read_text("utf-8").splitlines()[0] for side in ("de", "en")]
    assert not model.learn(*known)
    assert len(model.additions.pairs) == 1


def test_a_corrected_sentence_is_translated_as_it_was_corrected(model: LearningModel, corrections: Lines):
    (source, target), (_, other) = corrections[:2]

    def translated(by: TranslationModel) -> str:
        (text,) = by.translate([source])
        return text

    before = translated(model)
    model.learn(source, target)
    model.learn(source, other)
    assert translated(model) == evidence_of(model, source).text == other != before
    assert [len(each) for each in model.kbest([source], 3)] == [1]
    model.undo()
    assert translated(model) == translated(TranslationModel(model.folder)) == target
    with_term = [[SpanConstraint(0, len(source.split()[0]), "TERM")]]
    assert "TERM" in next(model.translate([source], constraints=with_term))
    model.merge()
    assert translated(LearningModel(model.folder)) == target
    file = model.folder / "model.toml"
    file.write_text(f"{file.read_text('utf-8')}\n[translate]\ncorrections = false\n", "utf-8")
    words = model.preprocessor.words(source, "source")
    assert model.correction_of(words) and not TranslationModel(model.folder).correction_of(words)


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (" ", "a b", "source side is empty"),
        ("Haus", "", "target side is empty"),
        ("Haus " * 300, "house", "source side has 300 words; the limit is 254"),
        ("Haus", "x" * 5000, "target side has a word of 5,000 characters; the limit is 1,000"),
        ("это другой язык совсем", "a house", "knows no word of the source side"),
        ("ein Haus", "это другой язык совсем", "knows no word of the target side"),
    ],
)
def test_bad_corrections_are_refused(model: LearningModel, source: str, target: str, message: str):
    with pytest.raises(DemoticError, match=message):
        model.learn(source, target)
    assert not (model.folder / ADDITIONS).exists()


def test_a_correction_that_is_mostly_unknown_is_learnt_with_a_warning(
    model: LearningModel, tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
):
    known, word = ((corpus / f"train.{side}").read_text("utf-8").split()[0] for side in ("de", "en"))
    source, target = f"{known} zzza zzzb zzzc zzzd", word
    with pytest.warns(DemoticWarning, match="knows only 1 of 5 words of the source side; is it in another"):
        assert model.learn(source, target)
    files = [tmp_path / name for name in ("new.de", "new.en")]
    for file, text in zip(
        files, (f"{known} zzze\n{source} zzzf\n{source} zzzg\n", f"{word}\n" * 3), strict=True
    ):
        file.write_text(text, "utf-8")
    assert run(["learn", str(model.folder), "--src", str(files[0]), "--tgt", str(files[1])]) == 0
    printed = capsys.readouterr()
    assert (
        "new.de:2: the model knows only 1 of 6 words of the source side (and 1 more lines like it)"
        in printed.err
    )
    assert "learnt" in printed.out


def test_two_models_of_one_folder_see_each_other(model: LearningModel, corrections: Lines):
    other = LearningModel(model.folder)
    sources = [source for source, _ in corrections]
    assert len(other.additions.pairs) == 0
    model.learn(*corrections[0])
    other.learn(*corrections[1])
    model.learn(*corrections[2])
    assert [pair.weights for pair in LearningModel(model.folder).additions.pairs] == [
        pair.weights for pair in model.additions.pairs
    ]
    other.refresh()
    assert state(other, sources) == state(model, sources)


def test_one_process_writes_at_a_time(model: LearningModel, corrections: Lines):
    with writing(model.folder), pytest.raises(DemoticError, match="another process is changing this model"):
        model.learn(*corrections[0])
    assert model.learn(*corrections[0])


def test_a_model_without_an_aligner_says_so(model_folder: Path, tmp_path: Path, corrections: Lines):
    copy = shutil.copytree(model_folder, tmp_path / "plain", ignore=shutil.ignore_patterns("run"))
    with pytest.raises(DemoticError, match=r"no align\.bin"):
        LearningModel(copy).learn(*corrections[0])


def test_new_weights_replace_learnt_ones_and_copies_stand_alone(
    model: LearningModel, tmp_path: Path, corrections: Lines
):
    model.learn(*corrections[0])
    assert model.additions.weights
    copy = ModelFolder(tmp_path / "copy")
    copy.write(model.values, model.parts(), model.preprocessor, Weights.from_dict({"LanguageModel": 2.0}))
    tuned = LearningModel(copy.folder)
    assert tuned.weights.to_dict() == {"LanguageModel": 2.0} and len(tuned.index) == len(model.index)
    tuned.learn(*corrections[1])
    assert len(LearningModel(model.folder).additions.pairs) == 1
