"""The models of a service, by language pair and by name."""

from __future__ import annotations

from collections.abc import Iterable

from demotic.base.errors import DemoticError
from demotic.serve.answers import Refusal
from demotic.serve.languages import known_code, language_name
from demotic.serve.translator import Translator


class Models:
    """Finds the model for a request. The first model of a pair answers for it; others of the same pair are asked by name.

    Args:
        translators: one or more.

    Raises:
        DemoticError: if two models have the same name.
    """

    def __init__(self, translators: Iterable[Translator]) -> None:
        self.by_name: dict[str, Translator] = {}
        self.by_pair: dict[tuple[str, str], Translator] = {}
        for each in translators:
            if each.name in self.by_name:
                raise DemoticError(
                    f"two models are called '{each.name}'",
                    each.model.folder,
                    hint="rename one of the folders",
                )
            self.by_name[each.name] = each
            self.by_pair.setdefault((each.source, each.target), each)

    @property
    def first(self) -> Translator:
        """The one that answers when a request names none."""
        return next(iter(self.by_name.values()))

    @property
    def codes(self) -> list[str]:
        """Languages of all models, on either side, sorted."""
        return sorted({code for pair in self.by_pair for code in pair})

    def targets(self, source: str) -> list[str]:
        """Languages that a language can be translated to, sorted."""
        return sorted(target for other, target in self.by_pair if other == source)

    def named(self, name: str) -> Translator:
        """The model with this name; the first one for none.

        Raises:
            Refusal: there is none.
        """
        if name and name not in self.by_name:
            raise Refusal(400, "there is no model of this name", hint=f"known: {', '.join(self.by_name)}")
        return self.by_name[name] if name else self.first

    def for_pair(self, source: str, target: str) -> Translator:
        """The model that translates one language to another; `de-AT` is `de` where there is nothing nearer.

        Raises:
            Refusal: in LibreTranslate's words, for an unknown language or pair.
        """
        if (source, target) in self.by_pair:  # as most clients write them
            return self.by_pair[source, target]
        codes = [known_code(code, self.codes) for code in (source, target)]
        for found, asked in zip(codes, (source, target), strict=True):
            if found is None:
                raise Refusal(400, f"{asked[:20]} is not supported", hint=f"known: {', '.join(self.codes)}")
        from_, to = map(str, codes)
        if (from_, to) not in self.by_pair:
            raise Refusal(
                400,
                f"{language_name(to)} ({to}) is not available as a target language from "
                f"{language_name(from_)} ({from_})",
            )
        return self.by_pair[from_, to]

    def languages(self) -> list[dict[str, object]]:
        """As LibreTranslate lists them."""
        return [
            {"code": code, "name": language_name(code), "targets": self.targets(code)} for code in self.codes
        ]
