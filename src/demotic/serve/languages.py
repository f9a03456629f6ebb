"""Names of languages in English, and codes as clients write them."""

from __future__ import annotations

from collections.abc import Collection

_NAMES = dict(
    pair.split("=")
    for pair in [
        "af=Afrikaans",
        "ar=Arabic",
        "az=Azerbaijani",
        "be=Belarusian",
        "bg=Bulgarian",
        "bn=Bengali",
        "ca=Catalan",
        "cs=Czech",
        "cy=Welsh",
        "da=Danish",
        "de=German",
        "el=Greek",
        "en=English",
        "eo=Esperanto",
        "es=Spanish",
        "et=Estonian",
        "eu=Basque",
        "fa=Persian",
        "fi=Finnish",
        "fr=French",
        "ga=Irish",
        "gl=Galician",
        "gu=Gujarati",
        "he=Hebrew",
        "hi=Hindi",
        "hr=Croatian",
        "hu=Hungarian",
        "hy=Armenian",
        "id=Indonesian",
        "is=Icelandic",
        "it=Italian",
        "ja=Japanese",
        "ka=Georgian",
        "kk=Kazakh",
        "kn=Kannada",
        "ko=Korean",
        "la=Latin",
        "lt=Lithuanian",
        "lv=Latvian",
        "mk=Macedonian",
        "ml=Malayalam",
        "mr=Marathi",
        "ms=Malay",
        "mt=Maltese",
        "nb=Norwegian",
        "ne=Nepali",
        "nl=Dutch",
        "no=Norwegian",
        "pa=Punjabi",
        "pl=Polish",
        "pt=Portuguese",
        "ro=Romanian",
        "ru=Russian",
        "sk=Slovak",
        "sl=Slovenian",
        "sq=Albanian",
        "sr=Serbian",
        "sv=Swedish",
        "sw=Swahili",
        "ta=Tamil",
        "te=Telugu",
        "th=Thai",
        "tl=Tagalog",
        "tr=Turkish",
        "uk=Ukrainian",
        "ur=Urdu",
        "uz=Uzbek",
        "vi=Vietnamese",
        "zh=Chinese",
    ]
)


_LONGEST = 35  # characters of a code (RFC 5646, section 4.4.1)


def language_name(code: str) -> str:
    """English name of a language (ISO 639-1); its code where we know none."""
    return _NAMES.get(code, code)


def known_code(code: str, known: Collection[str]) -> str | None:
    """The code that is meant, of those that are known: `de` for `de-DE`, `de_AT` and `DE`; None: none of them."""
    if len(code) > _LONGEST:  # the steps below are as many as its hyphens, each as long as it is
        return None
    lower = {each.lower().replace("_", "-"): each for each in known}
    wanted = code.lower().replace("_", "-")
    while wanted:
        if wanted in lower:
            return lower[wanted]
        wanted = wanted.rpartition("-")[0]
    return None
