"""The learners by name. A new learner is a new file and an entry here.

Entries name classes and functions instead of importing them, so that listing learners is cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from demotic.base.files import Pathish
from demotic.base.options import options_from, unknown_name

if TYPE_CHECKING:
    from demotic.learn.learner import Learner

LearnsOn = Literal["either", "dev", "train", "train and dev"]


@dataclass(frozen=True)
class Entry:
    """A learner as users choose it.

    Attributes:
        help: one sentence, with the paper.
        learns_on: the dev set (`--src`, `--ref`), training pairs (`--on-train`), either of them, or both together.
        options: its options dataclass, as `module:name` below `demotic.learn`.
        factory: function that makes the learner from its options and its name, likewise.
    """

    help: str
    learns_on: LearnsOn
    options: str
    factory: str

    def options_type(self) -> type[Any]:
        """The dataclass of its options."""
        found: type[Any] = _load(self.options)
        return found

    def make(self, options: Any, name: str) -> Learner:
        """The learner, with options of its own type."""
        factory: Callable[[Any, str], Learner] = _load(self.factory)
        return factory(options, name)


LEARNERS: dict[str, Entry] = {
    "perceptron": Entry(
        "Ranking perceptron on one shard (SGD, algorithm 1 of Simianer et al. 2012).",
        "either",
        "online.perceptron:PerceptronOptions",
        "online.online_learner:sgd_learner",
    ),
    "mix": Entry(
        "Ranking perceptron on shards that are averaged once, at the end (MixSGD, algorithm 2).",
        "train",
        "online.perceptron:PerceptronOptions",
        "online.online_learner:mix_learner",
    ),
    "itermix": Entry(
        "Ranking perceptron on shards that are averaged after every epoch (IterMixSGD, algorithm 3).",
        "train",
        "online.perceptron:PerceptronOptions",
        "online.online_learner:iter_mix_learner",
    ),
    "itersel": Entry(
        "Iterative mixing that keeps the K features with the largest norm across shards (IterSelSGD, algorithm 4).",
        "train",
        "online.perceptron:PerceptronOptions",
        "online.online_learner:iter_sel_learner",
    ),
    "adagrad": Entry(
        "Ranking by AdaGrad, a rate per feature, with l1 or l2 (Duchi et al. 2011; Green et al. 2013).",
        "either",
        "online.adagrad:AdaGradOptions",
        "online.adagrad_step:adagrad_learner",
    ),
    "mert": Entry(
        "Minimum error rate training: exact line searches on k-best lists or hypergraphs (Och 2003).",
        "dev",
        "batch.mert:MertOptions",
        "batch.graph_fitting:mert_learner",
    ),
    "pro": Entry(
        "Pairwise ranking by logistic regression (Hopkins and May 2011).",
        "either",
        "batch.pro:ProOptions",
        "batch.batch_learner:list_learner",
    ),
    "mira": Entry(
        "Online margin-infused relaxed algorithm (MIRA) with hope and fear (Chiang 2012).",
        "either",
        "online.mira:MiraOptions",
        "online.online_learner:one_or_mixed",
    ),
    "batchmira": Entry(
        "MIRA on accumulated k-best lists (Cherry and Foster 2012).",
        "dev",
        "batch.batch_mira:BatchMiraOptions",
        "batch.batch_learner:list_learner",
    ),
    "svm": Entry(
        "Structured SVM with hope and fear, by stochastic gradient descent (Flanigan et al. 2013).",
        "either",
        "online.svm:SvmOptions",
        "online.online_learner:one_or_mixed",
    ),
    "softramp3": Entry(
        "Soft ramp loss 3 by stochastic gradient descent with conditioning (Gimpel 2012; Flanigan et al. 2013).",
        "either",
        "online.soft_ramp:SoftRampOptions",
        "online.online_learner:one_or_mixed",
    ),
    "onlinexbleu": Entry(
        "Expected BLEU of lists or hypergraphs by AdaGrad (Rosti et al. 2011; He and Deng 2012).",
        "either",
        "online.expected_bleu:ExpectedBleuOptions",
        "online.adagrad_step:adagrad_learner",
    ),
    "maxviolation": Entry(
        "Max-violation perceptron with forced decoding, on reachable sentences (Yu et al. 2013).",
        "either",
        "online.max_violation:MaxViolationOptions",
        "online.online_learner:one_or_mixed",
    ),
    "xbleu": Entry(
        "Expected BLEU on accumulated k-best lists by L-BFGS (Rosti et al. 2011; He and Deng 2012).",
        "either",
        "batch.expected_bleu:XbleuOptions",
        "batch.batch_learner:list_learner",
    ),
    "rampion": Entry(
        "Ramp loss by the concave-convex procedure on k-best lists (Gimpel and Smith 2012).",
        "dev",
        "online.rampion:RampionOptions",
        "online.online_learner:one_or_mixed",
    ),
    "l1": Entry(
        "Ranking with an l1 penalty whose strength is chosen on held-out data (Tsuruoka et al. 2009).",
        "either",
        "online.l1:L1Options",
        "online.l1:L1Learner",
    ),
    "hols": Entry(
        "Held-out line search: gradient of the sparse features, step size by MERT (Flanigan et al. 2013).",
        "train and dev",
        "hols.hols_options:HolsOptions",
        "hols.hols_learner:HolsLearner",
    ),
    "recipe": Entry(
        "MERT on dev, AdaGrad on the training set, and the best blend of both; also chooses how to decode.",
        "train and dev",
        "recipe.recipe_options:RecipeOptions",
        "recipe.recipe_learner:RecipeLearner",
    ),
    "oscar": Entry(
        "Feature groups that share a weight, found on training data and tuned by PRO (Liu et al. 2013).",
        "train and dev",
        "oscar.oscar_options:OscarOptions",
        "oscar.oscar_learner:OscarLearner",
    ),
}


def make_learner(name: str, values: Mapping[str, Any], file: Pathish | None = None) -> Learner:
    """A learner by name, with options as plain values; `preset` among them stands for a set of options, which others override.

    Args:
        name: one of `LEARNERS`.
        values: options by name.
        file: where they come from, for errors.
    """
    options = learner_options(name, values, file)
    return LEARNERS[name].make(options, name)


def learner_options(name: str, values: Mapping[str, Any], file: Pathish | None = None) -> Any:
    """The options of `make_learner`, checked: a dataclass of the learner's own."""
    options_type = registered(name).options_type()
    presets = learner_presets(name)
    if presets and "preset" in values:
        preset = str(values["preset"])
        if preset not in presets:
            raise unknown_name("preset", preset, list(presets), file=file)
        values = {**presets[preset], **{key: value for key, value in values.items() if key != "preset"}}
    return options_from(options_type, values, file=file)


def registered(name: str) -> Entry:
    """The entry of a learner; a wrong name is answered with the nearest one."""
    if name not in LEARNERS:
        raise unknown_name("learner", name, list(LEARNERS))
    return LEARNERS[name]


def learner_presets(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Named sets of options of a learner; empty if it has none."""
    presets: Mapping[str, Mapping[str, Any]] = getattr(registered(name).options_type(), "PRESETS", {})
    return presets


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"demotic.learn.{module}"), name)
