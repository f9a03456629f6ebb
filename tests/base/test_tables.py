from __future__ import annotations

from demotic.base.tables import latex_table, markdown_table, plain_table

HEADER = ["system", "on", "BLEU", "runtime"]
ROWS = [["MERT", "dev", "39.4±0.1*", "6 hours"], ["HOLS", "", "–", "12"]]


def test_words_are_left_and_figures_right_aligned():
    assert plain_table(HEADER, ROWS).splitlines() == [
        "system  on        BLEU  runtime",
        "MERT    dev  39.4±0.1*  6 hours",
        "HOLS                 –       12",
    ]
    assert markdown_table(HEADER, ROWS).splitlines()[1] == "| --- | --- | ---: | ---: |"
    assert r"\begin{tabular}{llrr}" in latex_table(HEADER, ROWS)


def test_a_table_may_be_empty():
    assert plain_table(HEADER, []) == "system  on  BLEU  runtime"
