"""Keys: who may use the service, how often, and whose suggestions are learnt."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request

from demotic.base.checks import at_least
from demotic.base.errors import DemoticError
from demotic.base.files import Pathish
from demotic.base.options import load_toml, options_from
from demotic.serve.answers import Refusal
from demotic.serve.fields import Fields

_SHORTEST = 16  # characters of a key: one that cannot be guessed


@dataclass(frozen=True)
class KeyOptions:
    """A key, in a table `[keys.NAME]` of the file."""

    key: str = ""  # what the client sends: 16 characters or more
    requests_per_minute: int = 600
    learn: bool = False  # its suggestions are learnt at once, if the service was started with --learn

    def __post_init__(self) -> None:
        at_least(1, requests_per_minute=self.requests_per_minute)


@dataclass(frozen=True)
class KeyFile:
    """All keys by name; names are logged, keys never."""

    keys: dict[str, KeyOptions] = field(default_factory=dict)


class Allowance:
    """Requests that a key has left: they come back evenly, and up to a quarter of a minute's may be used at once.

    Args:
        per_minute: how many come back.
        clock: seconds.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 4)
        self._left = self._most
        self._clock = clock
        self._seen = clock()

    def take(self) -> float:
        """Use one request: 0, or the seconds until there is one."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


@dataclass(frozen=True)
class Client:
    """Who sends a request."""

    name: str = ""  # of the key
    may_teach: bool = False


class Keys:
    """Finds the client of a request; without keys everybody is welcome.

    Args:
        keys: by name; None: none are needed.
        clock: seconds.
    """

    def __init__(
        self, keys: Mapping[str, KeyOptions] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.required = keys is not None
        # Keys are looked up by their digests: how long that takes says nothing about them.
        self._clients = {
            _digest(each.key): (Client(name, each.learn), Allowance(each.requests_per_minute, clock))
            for name, each in (keys or {}).items()
        }

    @classmethod
    def load(cls, path: Pathish) -> Keys:
        """Read a TOML file with a table `[keys.NAME]` for each client.

        Raises:
            DemoticError: for keys that are short or used twice.
        """
        keys = options_from(KeyFile, load_toml(path), file=path).keys
        if not keys:
            raise DemoticError("there are no keys", path, hint='write [keys.NAME] and key = "..."')
        for name, each in keys.items():
            if len(each.key) < _SHORTEST:
                raise DemoticError(
                    f"the key of '{name}' has fewer than {_SHORTEST} characters",
                    path,
                    hint="python3 -c 'import secrets; print(secrets.token_urlsafe(24))' makes one",
                )
        if len({each.key for each in keys.values()}) < len(keys):
            raise DemoticError("two clients have the same key", path, hint="give each its own")
        return cls(keys)

    def client(self, request: Request, fields: Fields) -> Client:
        """Who sends this: by the field `api_key`, as LibreTranslate's clients do, or by the header `Authorization: Bearer`.

        Raises:
            Refusal: for a key that is missing, wrong, or used too often.
        """
        if not self.required:
            return Client()
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        key = fields.text("api_key", "") or (sent.strip() if scheme.lower() == "bearer" else "")
        if not key:
            raise Refusal(400, "Please contact the server operator to get an API key")
        found = self._clients.get(_digest(key))
        if found is None:
            raise Refusal(403, "Invalid API key")
        client, allowance = found
        if wait := allowance.take():
            raise Refusal(429, "Slowdown: too many requests a minute", retry_after=math.ceil(wait))
        return client


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
