"""The fields of a request: JSON, a form, or a form in parts; all are read the same way, and none may end in an error of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, cast
from urllib.parse import parse_qsl

from starlette.requests import Request

from demotic.base.json_text import parse_json
from demotic.serve.answers import Refusal

_MOST_FIELDS = 1_000
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")  # cannot go to the native core, or cannot be encoded


class Fields:
    """Typed access; a field that is missing or of another type is refused with its name.

    Args:
        values: as they were sent.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def text(self, name: str, default: str | None = None) -> str:
        """A string that is not empty, unless there is a default."""
        value = self._values.get(name)
        if value is None or (value == "" and default is None):
            if default is None:
                raise Refusal(400, f"Invalid request: missing {name} parameter")
            return default
        return _text(name, value)

    def texts(self, name: str) -> list[str] | str:
        """A string, or a list of strings."""
        value = self._values.get(name)
        if isinstance(value, list) and value:
            return [_text(name, each) for each in value]
        return self.text(name)

    def lines(self, name: str) -> list[str]:
        """A list of strings."""
        value = self._values.get(name)
        if not isinstance(value, list):
            raise Refusal(400, f"Invalid request: {name} must be a list of strings")
        return [_text(name, each) for each in value]

    def number(self, name: str, default: int, most: int, least: int = 0) -> int:
        """A whole number within bounds; forms have it as digits."""
        value = self._values.get(name, default)
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refusal(400, f"Invalid request: {name} must be a whole number")
        if not least <= value <= most:
            raise Refusal(400, f"{name} must be between {least} and {most}")
        return value

    def flag(self, name: str) -> bool:
        """Yes or no; no by default. Forms have it as a word."""
        value = self._values.get(name, False)
        if isinstance(value, str) and value.lower() in ("true", "false", "1", "0", ""):
            value = value.lower() in ("true", "1")
        if not isinstance(value, bool):
            raise Refusal(400, f"Invalid request: {name} must be true or false")
        return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise Refusal(400, f"Invalid request: {name} must be a string")
    return _NOT_TEXT.sub("�", value)


async def read_fields(request: Request) -> Fields:
    """The fields of a request, by its content type; without one it is JSON if it looks like it.

    Raises:
        Refusal: for a body that is neither.
    """
    body = await request.body()
    kind = request.headers.get("content-type", "")
    name = kind.partition(";")[0].strip().lower()
    if name.endswith("json") or (not name and body.lstrip()[:1] == b"{"):
        return Fields(_json(body))
    if name == "multipart/form-data":
        return Fields(_parts(kind, body))
    if name in ("", "application/x-www-form-urlencoded"):
        return Fields(_form(body))
    raise Refusal(415, "the body must be JSON or a form", hint="set content-type to application/json")


def _json(body: bytes) -> dict[str, Any]:
    try:
        values = parse_json(body.decode("utf-8"))
    except ValueError:
        raise Refusal(400, "Invalid JSON format") from None
    if not isinstance(values, dict):
        raise Refusal(400, "Invalid JSON format")
    return cast(dict[str, Any], values)


def _form(body: bytes) -> dict[str, Any]:
    try:
        pairs = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, errors="replace", max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise Refusal(400, "the form is not valid UTF-8, or has too many fields") from None
    return _grouped(pairs)


def _parts(kind: str, body: bytes) -> dict[str, Any]:
    if body.count(b"\n--") > _MOST_FIELDS:
        raise Refusal(400, "the form has too many fields")
    head = b"content-type: " + kind.encode("ascii", "replace") + b"\r\n\r\n"
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    pairs = []
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(content, bytes):
            pairs.append((name, content.decode("utf-8", errors="replace")))
    return _grouped(pairs)


def _grouped(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Fields by name; one that was sent several times is a list. Lines end as in files: forms send CR LF."""
    values: dict[str, Any] = {}
    for name, text in pairs:
        text = text.replace("\r\n", "\n")
        if name not in values:
            values[name] = text
        elif isinstance(values[name], list):
            values[name].append(text)
        else:
            values[name] = [values[name], text]
    return values
