"""What the tests of decoding share."""

from __future__ import annotations

import pytest

from demotic.lm import LanguageModel


@pytest.fixture(scope="package")
def lm(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    """A trigram model of all short strings that begin with x."""
    arpa = tmp_path_factory.mktemp("lm") / "toy.arpa"
    arpa.write_text(
        "\\data\\\nngram 1=6\nngram 2=5\nngram 3=3\n\n\\1-grams:\n-1.5\t<unk>\n-99\t<s>\t-0.3\n-0.8\t</s>\n-0.6\tx\t-0.2\n-0.9\ty\t-0.4\n-1.1\tz\t-0.1\n\n"
        "\\2-grams:\n-0.3\t<s> x\t-0.2\n-0.5\tx y\t-0.1\n-0.7\ty z\t-0.3\n-0.4\tz </s>\n-0.9\ty x\n\n\\3-grams:\n-0.2\t<s> x y\n-0.1\tx y z\n-0.3\ty z </s>\n\n\\end\\\n"
    )
    return LanguageModel.load(arpa)
