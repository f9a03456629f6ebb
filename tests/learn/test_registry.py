"""The learners by name."""

from __future__ import annotations

import pytest

from demotic.base.errors import DemoticError
from demotic.learn import DataSizes, Learner, make_learner
from demotic.learn.registry import LEARNERS


@pytest.mark.parametrize("name", LEARNERS)
def test_every_entry_makes_a_learner(name: str):
    entry = LEARNERS[name]
    learner = make_learner(name, {})
    assert isinstance(learner, Learner) and learner.name == name
    assert learner.uses_dev == (entry.learns_on == "train and dev")
    assert entry.help.endswith(".") and "\n" not in entry.help and len(entry.help) < 110
    small, large = (learner.decodings(DataSizes(n, n, n)) for n in (100, 200))
    assert 0 < small.lists < large.lists and small.looked_at < large.looked_at


def test_unknown_names():
    with pytest.raises(DemoticError, match="iterse1"):
        make_learner("iterse1", {})
    with pytest.raises(DemoticError, match="no_such"):
        make_learner("mert", {"no_such": 1})
    with pytest.raises(DemoticError, match="cdeck"):
        make_learner("pro", {"preset": "cdeck"})
