"""Templates: which sparse features a rule has. Native ones by name, others as Python functions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from demotic import _core
from demotic.base.errors import DemoticError
from demotic.base.options import unknown_name
from demotic.corpus.word_classes import WordClasses
from demotic.features.binning import TEMPLATE as BIN
from demotic.features.bins import Bins
from demotic.features.groups import FeatureGroups
from demotic.features.index import FeatureIndex
from demotic.features.names import escape_detail
from demotic.features.user_templates import VARIABLE, import_user_templates, source_digest
from demotic.grammar.rules import Grammar, Rule

RuleFunction = Callable[[Rule], str | Iterable[tuple[str, float]]]

NATIVE_TEMPLATES: tuple[str, ...] = tuple(_core.native_templates())
CLASS_TEMPLATES: tuple[str, ...] = tuple(_core.class_templates())
"""Native templates over word classes; their number follows the name, as in `class_id:50`."""

ClassPairs = Mapping[int, tuple[WordClasses, WordClasses]]
"""Classes of the source and of the target side, by how many were asked for."""

LABELLED = "@label"
"""Behind a native template: its features in conjunction with the label of the sentence."""

_NUMBER = 0x7FFFFFFF  # without the highest bit, which tells that the index does not know the feature
_ALIASES = {"ngram": "src_ngram"}
# All functions ever registered, and digests of their code. The core knows them by number only, so that Python's garbage collector
# sees every reference.
_functions: list[tuple[str, RuleFunction]] = []
_digests: list[str] = []
_numbers: dict[str, int] = {}


def template_names() -> tuple[str, ...]:
    """What the names of sparse features can begin with: native templates and registered functions."""
    return (*NATIVE_TEMPLATES, *CLASS_TEMPLATES, *_numbers)


def template(name: str) -> Callable[[RuleFunction], RuleFunction]:
    """Register a function as the template `name`.

    The function gets a rule and returns a string, for one feature of value 1, or a list of (string, value). A feature is named
    `name:string`; white space, `=`, `%` and doubled bars are escaped. It is run once per distinct rule and must depend on the
    rule's symbols and alignment only (`rule.features` is empty). Registering a name again replaces the function.

    Example:
        ```python
        @template("ends_alike")
        def ends_alike(rule):
            return [("yes", 1.0)] if rule.source[-1] == rule.target[-1] else []
        ```
    """
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
        raise DemoticError(
            f"'{name}' is not a valid template name", hint="use letters, digits and _, as in  my_template"
        )
    if _is_native(name) or name == BIN:
        raise DemoticError(f"'{name}' is the name of a built-in template", hint="choose another name")

    def register(function: RuleFunction) -> RuleFunction:
        _numbers[name] = len(_functions)
        _functions.append((name, function))
        _digests.append(source_digest(function))
        return function

    return register


def _registered(name: str) -> int:
    """The number of a function."""
    if name not in _numbers:
        import_user_templates()
    if name not in _numbers:
        known = [*NATIVE_TEMPLATES, *CLASS_TEMPLATES, *_ALIASES, *_numbers]
        error = unknown_name("template", name.partition(":")[0], known)
        raise DemoticError(error.message, hint=f"{error.hint}; if it is your own, set {VARIABLE} to its file")
    return _numbers[name]


def _is_native(text: str) -> bool:
    name = text.removesuffix(LABELLED).partition(":")[0]
    return _ALIASES.get(name, name) in (*NATIVE_TEMPLATES, *CLASS_TEMPLATES)


def class_sizes(names: Iterable[str]) -> tuple[int, ...]:
    """How many word classes templates need: (50, 200) for `class_id:200` and `class_word_pair:50`.

    Raises:
        DemoticError: for a template that does not exist.
    """
    return tuple(sorted({_classes_of(name.strip()) for name in names} - {0}))


def _classes_of(name: str) -> int:
    if _is_native(name):
        return _core.classes_of_template(name)
    _registered(name)
    return 0


def template_digests(names: Iterable[str]) -> list[str]:
    """What the features of templates depend on: their names and, of Python functions, digests of their code."""
    return [name if _is_native(name) else f"{name} {_digests[_registered(name)]}" for name in names]


class TemplateSet:
    """The templates of a model, in use by any number of threads.

    Args:
        names: names of native templates, with options behind a colon (`src_ngram:n=2..3`) and `@label` behind these for conjunctions
            with the label of a sentence, and of registered functions, which are looked for in the modules of $DEMOTIC_TEMPLATES too.
        bins: what becomes of dense features; default: they stay as they are.
        groups: features stand for their groups; None: each for itself.
        classes: of words, if templates need them.
    """

    def __init__(
        self,
        names: Sequence[str],
        bins: Bins | None = None,
        groups: FeatureGroups | None = None,
        classes: ClassPairs | None = None,
    ) -> None:
        self.names = tuple(name.strip() for name in names)
        self.bins = bins
        native, functions = [], []
        for text in self.names:
            if _is_native(text):
                native.append(text)
            elif (number := _registered(text)) in functions:
                raise DemoticError(f"template '{text}' is given twice")
            else:
                functions.append(number)
        pairs = [(size, src.native, tgt.native) for size, (src, tgt) in sorted((classes or {}).items())]
        self.native = _core.TemplateSet(native, functions, bins.native() if bins else None, pairs)
        if groups is not None:
            self.native.tie(groups.native)

    @property
    def has_labels(self) -> bool:
        """Whether some features depend on the label of the sentence."""
        return any(name.endswith(LABELLED) for name in self.names)

    def rule_features(self, grammar: Grammar, index: FeatureIndex, label: str = "") -> _core.RuleFeatures:
        """The features of all rules of a grammar as arrays; what the index does not know gets local numbers.

        Args:
            grammar: the rules.
            index: where features are looked up.
            label: of the sentence; without one, templates with labels have no features.
        """
        return _core.rule_features(grammar.native, self.native, index, label)

    def vectors(self, grammar: Grammar, label: str = "") -> Iterator[dict[str, float]]:
        """The features of each rule by name, for people and tests."""
        found = self.rule_features(grammar, FeatureIndex(), label)
        names = [found.local_name(i) for i in range(found.locals)]
        numbers, values = (found.features & _NUMBER).tolist(), found.values.tolist()
        begins = found.row_begins.tolist()
        for begin, end in pairwise(begins):
            yield {names[numbers[i]]: values[i] for i in range(begin, end)}


_RuleTuple = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[int, int], ...], str]


def run_functions(numbers: list[int], rules: list[_RuleTuple]) -> list[list[tuple[str, float]]]:
    """Run registered functions on rules that the core meets for the first time."""
    functions = [_functions[number] for number in numbers]

    def features_of(rule: Rule) -> list[tuple[str, float]]:
        found: dict[str, float] = {}
        for name, function in functions:
            for detail, value in _pairs(name, function(rule)):
                full = f"{name}:{escape_detail(detail)}"
                found[full] = found.get(full, 0.0) + value
        return [(name, value) for name, value in found.items() if value != 0]

    return [
        features_of(Rule(source, target, alignment, label=label))
        for source, target, alignment, label in rules
    ]


def _pairs(name: str, result: str | Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """The features that a function returned, checked."""
    try:
        pairs = [(result, 1.0)] if isinstance(result, str) else [(d, float(v)) for d, v in result]
        good = all(isinstance(detail, str) and math.isfinite(value) for detail, value in pairs)
    except (TypeError, ValueError):
        good = False
    if not good:
        raise DemoticError(
            f"template '{name}' must return a string or a list of (string, number) (got {result!r})",
            hint="numbers must be finite",
        )
    return pairs
