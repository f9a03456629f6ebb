"""JSON that others may have written or damaged."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """`json.loads`, for which thousands of brackets are an error like any other.

    Raises:
        ValueError: not JSON, not UTF-8, a number of thousands of digits, lists in lists in lists.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("too many brackets in brackets") from error
