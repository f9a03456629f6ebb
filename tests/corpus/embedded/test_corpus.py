"""The embedded corpus: the same bytes everywhere, and German and English that a grammar book would accept."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demotic.base import DemoticError
from demotic.corpus.embedded import EmbeddedOptions, generate, write
from demotic.corpus.embedded.inflection import spell
from demotic.corpus.embedded.lexicon import FRAMES, NOUNS, nouns_of
from demotic.corpus.embedded.sentences import sentence
from demotic.corpus.embedded.splitmix import SplitMix

HELD_OUT = ("dev", "devtest", "test")


@pytest.fixture(scope="module")
def corpus() -> dict[str, list[tuple[str, str]]]:
    return generate(EmbeddedOptions())


@pytest.fixture(scope="module")
def train(corpus) -> list[tuple[str, str]]:
    return corpus["train"]


def words(text: str) -> list[str]:
    return re.findall(r"[\w'.-]*\w", text.lower())


# The splits


def digest(corpus: dict[str, list[tuple[str, str]]]) -> str:
    found = hashlib.blake2b(digest_size=16)
    for name in ("train", *HELD_OUT):
        found.update("".join(f"{german}\t{english}\n" for german, english in corpus[name]).encode())
    return found.hexdigest()


def test_same_bytes_everywhere(corpus):
    assert digest(corpus) == "f33058c49df1d7615c673612d2bbe117"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (EmbeddedOptions(50, 7, 0, 3, seed=9), "0eac3fc2964e3fc44decd1fdb29ca3b7"),
        (EmbeddedOptions(1000, 10, 10, 10, seed=-5), "c9b2f949a984159ce8fe9fab09ebbb60"),
        (EmbeddedOptions(500, 100, 50, 20, seed=2**63 + 11), "1bae7a991d2e6f668efa6fbb8274a301"),
        (EmbeddedOptions(300, 0, 0, 0, seed=123456789), "4f8f788db85841eac52236ba8a129a75"),
        (EmbeddedOptions(2000, 20, 20, 20, seed=42), "691170fdf3889aa6f2a06293e7a57bb2"),
    ],
)
def test_same_bytes_for_other_sizes_and_seeds(options: EmbeddedOptions, expected: str):
    assert digest(generate(options)) == expected


def test_no_source_sentence_occurs_twice(corpus):
    sources = [german.lower() for pairs in corpus.values() for german, _ in pairs]
    assert len(sources) == len(set(sources)) == 4900


def test_options_are_respected():
    options = EmbeddedOptions(train=50, dev=7, devtest=0, test=3, seed=9)
    assert {name: len(pairs) for name, pairs in generate(options).items()} == {
        "train": 50,
        "dev": 7,
        "devtest": 0,
        "test": 3,
    }
    assert generate(options) == generate(options)
    assert generate(options) != generate(EmbeddedOptions(train=50, dev=7, devtest=0, test=3, seed=10))


def test_more_training_data_extends_the_smaller_and_leaves_the_test_sets(corpus):
    small = generate(EmbeddedOptions(train=500))
    assert small["train"] == corpus["train"][:500]
    assert [small[name] for name in HELD_OUT] == [corpus[name] for name in HELD_OUT]


def test_negative_sizes_are_refused():
    with pytest.raises(DemoticError, match="dev must be at least 0"):
        generate(EmbeddedOptions(dev=-1))


def test_write_leaves_parallel_files_and_nothing_else(tmp_path):
    options = EmbeddedOptions(train=20, dev=5, devtest=5, test=5)
    write(tmp_path / "new", options)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(
        f"{name}.{language}" for name in ("train", *HELD_OUT) for language in ("de", "en")
    )
    for name, pairs in generate(options).items():
        sides = [
            (tmp_path / "new" / f"{name}.{language}").read_text("utf-8").splitlines()
            for language in ("de", "en")
        ]
        assert list(zip(*sides, strict=True)) == pairs


# The text


def test_lengths(train):
    for side in (0, 1):
        lengths = [len(pair[side].split()) for pair in train]
        assert min(lengths) >= 4
        assert max(lengths) <= 25
        assert 9 <= sum(lengths) / len(lengths) <= 12


def test_vocabulary_has_a_tail_and_few_unknown_words(corpus):
    for side in (0, 1):
        counts = Counter(word for pair in corpus["train"] for word in words(pair[side]))
        assert 600 <= len(counts) <= 1100
        assert sum(count <= 3 for count in counts.values()) > 0.1 * len(counts)
        held_out = [word for name in HELD_OUT for pair in corpus[name] for word in words(pair[side])]
        unknown = sum(word not in counts for word in held_out)
        assert 0 < unknown < 0.02 * len(held_out)


@given(st.integers(0, 2**64 - 1))
def test_any_seed_gives_well_formed_text(seed: int):
    german, english = sentence(SplitMix(seed))
    assert german[-1] == english[-1] and german[-1] in ".?!"
    for text in (german, english):
        assert text[0].isupper()
        assert re.fullmatch(r"[\wÄÖÜäöüß',.?! ]+", text)
        assert not re.search(r"  | [,.?!]|[,?!][^ ]|,\s*,", text)


def is_relative_pronoun(text: str, position: int) -> bool:
    """Behind a comma, perhaps with a preposition: Der Mann, auf den Frau Schmidt wartet."""
    return bool(re.search(r", (\w+ )?$", text[:position]))


def test_german_articles_agree_with_their_nouns(train):
    """From a dictionary, not from the generator's table: only words whose gender is beyond doubt."""
    articles = {"m": {"der", "den", "dem", "des"}, "f": {"die", "der"}, "n": {"das", "dem", "des"}}
    genders = {
        "m": "Mann Mannes Hund Apfel Vertrag Brief Hut Zug Tisch Stuhl Korb Zaun Anwalt Bus",
        "f": "Frau Katze Bank Tür Frage Rede Suppe Jacke Firma Kirche Prüfung Entscheidung Reise Chefin Ärztin",
        "n": "Kind Pferd Haus Buch Schloss Gericht Lied Kleid Hemd Auto Fahrrad Bild Problem Gesetz",
    }
    gender_of = {noun: gender for gender, nouns in genders.items() for noun in nouns.split()}
    seen: Counter[str] = Counter()
    for german, _ in train:
        for match in re.finditer(r"\b(der|die|das|den|dem|des) (?:[a-zäöüß]+ )?([A-ZÄÖÜ]\w+)", german):
            article, noun = match.groups()
            if noun in gender_of and not is_relative_pronoun(german, match.start()):
                assert article in articles[gender_of[noun]], german
                seen[noun] += 1
    assert len(seen) > 35 and sum(seen.values()) > 800


def test_german_adjectives_agree(train):
    """After dem always -en, after ein -er or -es, after eine -e; after a number in the plural -e or -en."""
    endings = {
        "dem": ("en",),
        "des": ("en",),
        "das": ("e",),
        "ein": ("er", "es"),
        "eine": ("e",),
        "einen": ("en",),
        "drei": ("e", "en"),
    }
    checked = 0
    for german, _ in train:
        for match in re.finditer(r"\b(dem|des|das|eine?n?|drei) ([a-zäöüß]+) (?=[A-ZÄÖÜ](?!ie\b))", german):
            article, word = match.groups()
            if not is_relative_pronoun(german, match.start()):
                assert word.endswith(endings[article]), german
                checked += 1
    assert checked > 400


def test_german_verbs_agree_with_pronouns(train):
    modals = "kann muss will soll darf weiß"
    finite = {
        "Ich": re.compile(rf"(\w+e|bin|war|{modals.replace(' ', '|')})$"),
        "Er": re.compile(rf"(\w+t|wird|wurde|war|möchte|{modals.replace(' ', '|')})$"),
        "Wir": re.compile(r"(\w+n|sind)$"),
    }
    seen: Counter[str] = Counter()
    for german, _ in train:
        pronoun, verb = german.split()[:2]
        if pronoun in finite:
            assert finite[pronoun].match(verb.strip(",")), german
            seen[pronoun] += 1
    assert min(seen.values()) > 40


def test_english_verbs_agree_with_pronouns(train):
    bases = {frame.english.base for frame in FRAMES if frame.english.past[0] != frame.english.base}
    thirds = {spell("s-form", base) for base in bases}
    for _, english in train:
        pronoun, verb = english.split()[:2]
        if pronoun in ("He", "She"):
            assert verb not in bases | {"are", "were", "have", "do"}, english
        if pronoun in ("I", "We", "They"):
            assert verb not in thirds | {"is", "has", "does"}, english


def test_sie_is_she_or_they_by_the_verb(train):
    """Sie kauft, sie kaufen: only the verb tells, and in a subordinate clause it comes last."""
    plural = [english for german, english in train if re.match(r"Sie (?!kann)\w+n\b", german)]
    singular = [english for german, english in train if re.match(r"Sie \w+t\b", german)]
    assert len(plural) > 50 and all(english.startswith("They ") for english in plural)
    assert len(singular) > 50 and all(english.startswith("She ") for english in singular)


CONSTRUCTIONS = {
    "verb second after an adverbial": r"^(Gestern|Heute|Letzte Woche) (hat|haben|habe|ist|sind|bin|wurden?)\b",
    "perfect with the participle at the end": r"\b(hat|haben) (?!.*,).* \w*ge\w+(t|en)\.$",
    "modal with the infinitive at the end": r"\b(muss|kann|will|soll|darf|möchte)n? .* \w+en\.$",
    "dass": r", dass .* \w+(t|en)\.$",
    "weil": r"\b[wW]eil .* \w+(t|en)[.,]",
    "wenn": r"\b[wW]enn ",
    "als": r"\b[aA]ls .* (hat|haben|habe|ist|sind|bin|war|waren)[,.]",
    "relative clause inside": r"^\w+ [\w ]+, (der|die|das|den|dem|denen) [\w ]+, ",
    "relative clause at the end": r", (der|die|das|den|dem|denen) [\w ]+ (hat|haben|ist|sind|\w+t|\w+en)\.$",
    "relative clause with a preposition": r", (auf|an|mit|über) (den|die|das|dem|der|denen) ",
    "separated verb": r"\b(ruf|zieh|heb|stell|gib|geb)(e|en|t) .*\b(an|aus|auf|ein|vor)[.?!]$",
    "verb not separated at the end": r"\b(anruft|aufgibt|anzieht|aufhebt|vorstellt|einstellt|abholt)[.,]",
    "participle of a separable verb": r"\b(an|auf|aus|ein|vor|ab|zu|teil)ge\w+",
    "infinitive with zu": r", .*\b(zu \w+en|\w+zu\w+en)\.$",
    "future": r"\b(wird|werden|werde) .* \w+en\.$",
    "passive": r"\b(wird|werden|wurden?) (?:.* )?(vom|von) ",
    "nicht": r"\bnicht\b",
    "kein": r"\bkein",
    "yes-no question": r"^(Hat|Haben|Ist|Sind|[A-Z]\w+[nt]) .*\?$",
    "open question": r"^(Warum|Wann|Wo|Wie oft|Wer) .*\?$",
    "embedded question": r", (ob|warum|wann|wo) ",
    "polite request": r"^\w+ Sie (sich )?bitte .*!$",
    "number": r"\b(zwei|drei|vier|fünf|zehn) ",
    "genitive": r"\b\w+ (des|der) (\w+ )?(Mannes|Frau|Leiters|Lehrers|Ärztin|Nachbarn|Kindes)\b",
    "contracted preposition": r"\b(im|am|zum|vom|ins|beim|zur) ",
    "compound": r"\b(Garten|Küchen|Holz|Kinder|Reise|Dorf|Liebes|Geschäfts)[a-zäöü]{3,}",
    "comparative": r" als (der|die|das|dies)",
    "existence": r"\bg[ia]bt? es ",
    "reflexive": r"\bsich\b",
    "time ago": r"\bvor (zwei|drei|vier|fünf|zehn) (Tagen|Jahren|Stunden|Wochen)",
}


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_every_construction_appears(construction: str, train):
    assert sum(bool(re.search(CONSTRUCTIONS[construction], german)) for german, _ in train) >= 15


# Words whose translation depends on where they stand

# What tells the sense -> its translation. Patterns for the German side stand in front of those for the English side.
SENSES = {
    "tragen": (
        r"\b(ge)?(tragen|trägt|trage)\b",
        {
            r"(?i)koffer|tasche|korb|kiste|eimer|paket|leiter\b": r"carr(y|ies|ied|ying)\b",
            r"(?i)mantel|mäntel|hut\b|hüte|jacke|kleid|hemd|handschuh": r"w(ear|ears|earing|ore|orn)\b",
        },
    ),
    "streichen": (
        r"\b(ge)?str[ei]+ch(en|t|e)\b",
        {
            r"(?i)bank|bänke|zaun|zäune|tür|wand|wände|decke|stuhl|stühle|tor\b|tore\b|haus": r"paint(s|ed|ing)?\b",
            r"(?i)termin|reise\b|reisen\b": r"cancel",
        },
    ),
    "Bank": (
        r"(?i)bank\b|bänken?\b|\bbanken\b",
        {
            r"(?i)\b(sitz|saß|gesess|streich|streicht|gestrichen|reparier)": r"bench",
            r"(?i)\b(bei|beim|anruf|angerufen|führ|geführt|vertrau)": r"\bbanks?\b",
        },
    ),
    "schwer": (
        r"\bschwer(e|en|er|es|em)? \w+",
        {
            r"\bschwer(e|en|er|es)? \w*([kK]offer|[tT]asche|[kK]orb|[kK]iste|[eE]imer)": r"\bheavy\b",
            r"\bschwer(e|en|er|es)? \w*([fF]rage|[pP]rüfung|[aA]ufgabe|[rR]ätsel|[pP]roblem)": r"\bdifficult\b",
        },
    ),
    "auf": (
        r"\bauf\b",
        {
            r"\bgewartet|wartet?n?\b": r"\bfor\b",
            r"\b(gesessen|sitz\w+)\b": r"\bon\b",
            r"\bgeachtet|achtet?n?\b": r"attention to\b",
        },
    ),
    "ziehen": (
        r"\b(ge)?z(ieh|og)(e|t|en)\b",
        {
            r"Wagen|Schlitten": r"\bpull",
            r"\bnach (Berlin|München|Hamburg|Wien|Köln)": r"\bmov(e|es|ed|ing)\b",
        },
    ),
    "entlassen, by its subject": (
        r"\bentl[aä]ss",
        {r"\bÄrztin": r"discharg", r"\b(Chefin|Bank|Firma|Hotel|Zeitung|\w*[lL]eiter)": r"\bfir"},
    ),
}


@pytest.mark.parametrize("word", SENSES)
def test_context_decides_the_translation(word: str, train):
    """Where the context of one sense, and of no other, is in the sentence, its translation is, too."""
    pattern, senses = SENSES[word]
    counts: Counter[str] = Counter()
    for german, english in train:
        if not re.search(pattern, german) or re.search(r"[,?]| und ", german):
            continue  # one clause only: two of them may mix contexts
        contexts = [context for context in senses if re.search(context, german)]
        if len(contexts) == 1:
            assert re.search(senses[contexts[0]], english), (german, english)
            counts[contexts[0]] += 1
    assert len(counts) == len(senses) and min(counts.values()) >= 5, counts


HOMONYMS = {
    r"(?i)bank\b|bänken?\b|\bbanken\b": (r"bench", r"\bbank"),
    r"(?i)schloss|schlösser": (r"castle", r"\block"),
    r"(?i)gerichte?n?s?\b": (r"\bcourt", r"\bdish"),
    r"(?i)\bbirnen?\b": (r"\bpear", r"\bbulb"),
    r"(?i)leitern?\b": (r"manager", r"ladder"),
    r"\b(ge)?(tragen|trägt|trage)\b": (r"\bcarr", r"\bw(ear|or)"),
    r"\b(ge)?z(ieh|og)(e|t|en)\b": (r"\bpull", r"\bmov"),
    r"\bgestrichen|streich": (r"\bpaint", r"\bcancel"),
    r"\bgehalten|\b(hält|halten|halte)\b": (r"\bke(ep|pt)", r"\bg(ive|ave|iving)"),
    r"\bgetroffen|\btr(eff|iff)": (r"\bm[ae][dk]e?", r"\bme+t"),
    r"\bgeschlossen|\bschließ": (r"\bclos", r"\bsign"),
    r"\bgelöst|\blös": (r"\bsolv", r"\bloosen"),
    r"\bschwer": (r"\bheav", r"\bdifficult"),
    r"\bgroß|\bgröß": (r"\bbig|\blarge", r"\btall"),
    r"\bseit\b": (r"\bsince\b", r"\bfor\b"),
    r"\bnach\b": (r"\bto\b", r"\bafter\b"),
    r"\b[aA]ls\b": (r"\bwhen\b", r"\bthan\b"),
    r"\b[wW](ird|erden)\b": (r"\bwill\b", r"\b(is|are|be) (\w+ed|\w+en|\w+t)\b"),
}


@pytest.mark.parametrize("german_pattern", HOMONYMS)
def test_both_senses_are_frequent(german_pattern: str, train):
    senses = HOMONYMS[german_pattern]
    english = [english for german, english in train if re.search(german_pattern, german)]
    counts = [sum(bool(re.search(sense, text.lower())) for text in english) for sense in senses]
    assert min(counts) >= 20
    assert min(counts) >= 0.15 * max(counts)


def test_the_frequent_sense_is_often_wrong(train):
    """The share of homonyms that `always the most frequent translation` gets wrong is what context can win."""
    wrong = total = 0
    for german_pattern, senses in HOMONYMS.items():
        texts = [english.lower() for german, english in train if re.search(german_pattern, german)]
        counts = [sum(bool(re.search(sense, text)) for text in texts) for sense in senses]
        wrong += min(counts)
        total += sum(counts)
    assert wrong / total > 0.3


def test_no_context_admits_two_senses():
    """Verb, preposition, case and nouns together have one translation: what is ambiguous, something else decides."""
    readings = defaultdict(set)
    for frame in FRAMES:
        slots = [
            nouns_of(frame.subject),
            *(nouns_of(c.kinds) for c in frame.complements if nouns_of(c.kinds)),
        ]
        shape = tuple((c.case, c.preposition.german, c.place, c.fixed) for c in frame.complements)
        for chosen in itertools.product(*slots):
            key = (
                frame.german.infinitive,
                frame.german.reflexive,
                shape,
                tuple(noun.singular for noun in chosen),
            )
            readings[key].add((frame.english.base, tuple(noun.english for noun in chosen)))
    assert [key for key, meanings in readings.items() if len(meanings) > 1] == []


def test_homonyms_exist():
    translations = defaultdict(set)
    for noun in NOUNS:
        translations[noun.singular].add(noun.english)
    assert sum(len(english) > 1 for english in translations.values()) >= 15
    senses = defaultdict(set)
    for frame in FRAMES:
        senses[frame.german.infinitive].add((frame.english.base, frame.english.tail))
    assert sum(len(english) > 1 for english in senses.values()) >= 20
