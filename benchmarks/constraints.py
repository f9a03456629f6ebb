"""Glossaries and protected text: are they obeyed, and what do they cost?

    python -m benchmarks.constraints MODEL --src F --ref F [--terms 500] [--seed 0]

Terms are words of the source that begin with a capital inside a sentence, drawn at random, with the word that they are linked to most often in the training pairs.
Codes (tags, placeholders, addresses) are put between the words of every line at random places.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from pathlib import Path

import sacrebleu

from demotic.decode import Glossary, Term, TranslationModel, protected_spans

CODES = [
    "%s",
    "{0}",
    "%(name)d",
    "%1$s",
    "<b>",
    "</b>",
    "<br/>",
    "${HOME}",
    "https://example.org/a?b=c",
    "jane@example.org",
]


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.constraints", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--src", type=Path, required=True)
    parser.add_argument("--ref", type=Path, required=True)
    parser.add_argument("--terms", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    given = parser.parse_args()
    model = TranslationModel(given.model)
    lines, references = (file.read_text("utf-8").splitlines() for file in (given.src, given.ref))
    draw = random.Random(given.seed)
    plain = list(model.translate(lines, given.threads))
    _glossary(model, lines, references, plain, given.terms, draw, given.threads)
    _codes(model, lines, draw, given.threads)


def _glossary(
    model: TranslationModel,
    lines: list[str],
    references: list[str],
    plain: list[str],
    count: int,
    draw: random.Random,
    threads: int,
) -> None:
    nouns = sorted(
        {word for line in lines for word in re.findall(r"(?<=\w )([A-ZÄÖÜ][a-zäöüß]{2,})\b", line)}
    )
    draw.shuffle(nouns)
    usual = _usual_translations(model, nouns)
    terms = [Term(noun, usual[noun]) for noun in nouns if noun in usual][:count]
    glossary = Glossary(terms)
    constraints = [glossary.constraints(line)[0] for line in lines]
    found = list(model.translate(lines, threads, constraints))
    wanted = [Counter(each.translation.lower() for each in spans) for spans in constraints]
    print(f"{len(terms)} terms, {sum(each.total() for each in wanted)} occurrences")
    for name, translations in (("without", plain), ("with", found)):
        obeyed = sum(_obeyed(*each) for each in zip(wanted, translations, strict=True))
        bleu = sacrebleu.corpus_bleu(translations, [references]).score
        print(f"{name} the glossary: {obeyed} obeyed, BLEU {bleu:.2f}")


def _usual_translations(model: TranslationModel, nouns: list[str]) -> dict[str, str]:
    """For nouns that are one word of the model, the word that each is linked to most often."""
    prepared = {noun: model.preprocessor.words(noun, "source") for noun in nouns}
    linked: dict[str, Counter[str]] = {words[0]: Counter() for words in prepared.values() if len(words) == 1}
    for pair in range(len(model.index)):
        source = model.index.source(pair)
        if any(word in linked for word in source):
            target = model.index.target(pair)
            for i, j in model.index.links(pair):
                if source[i] in linked and target[j].isalpha():
                    linked[source[i]][target[j]] += 1
    usual = {word: max(sorted(counts), key=counts.__getitem__, default="") for word, counts in linked.items()}
    return {noun: usual[words[0]] for noun, words in prepared.items() if len(words) == 1 and usual[words[0]]}


def _obeyed(wanted: Counter[str], translation: str) -> int:
    have = Counter(re.findall(r"\w+", translation.lower()))
    return sum(min(times, have[target]) for target, times in wanted.items())


def _codes(model: TranslationModel, lines: list[str], draw: random.Random, threads: int) -> None:
    texts, codes = [], []
    for line in lines:
        words, inserted = line.split(), draw.choices(CODES, k=draw.randint(1, 3))
        for code in inserted:
            words.insert(draw.randrange(len(words) + 1), code)
        texts.append(" ".join(words))
        codes.append(Counter(inserted))
    found = model.translate(texts, threads, map(protected_spans, texts))
    whole = sum(
        Counter(each.translation for each in protected_spans(text)) == wanted
        for text, wanted in zip(found, codes, strict=True)
    )
    print(
        f"{sum(each.total() for each in codes)} codes inserted: all survive, once each, in {whole} of {len(lines)} lines"
    )


if __name__ == "__main__":
    main()
