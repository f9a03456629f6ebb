"""A small German-English corpus made by a hand-written synchronous grammar, for the demo and for tests.

German here does what makes it hard to translate: verb-final clauses, separable verbs, compounds, agreement. Many words
have two senses and the frame they stand in decides, near (`schwerer Koffer`, `schwere Prüfung`) or far (`hat den roten Mantel
getragen`, `hat den schweren Koffer getragen`), so that there is something to learn beyond relative frequencies.

The words are in `lexicon.txt`; endings, spelling, word order and sentence patterns are in `grammar.txt`.
"""

from demotic.corpus.embedded.generate import EmbeddedOptions, generate, write

__all__ = ["EmbeddedOptions", "generate", "write"]
