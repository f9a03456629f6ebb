"""Which hosts and origins may be named in a request.

A page on the network can let its own name point to this machine (DNS rebinding) and then read what the service answers; and it can
send forms anywhere. The first names its host in `Host`, the second in `Origin`. An address of digits cannot be rebound.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from demotic.serve.answers import Refusal

_HOSTS = 16  # that are remembered


class Hosts:
    """Checks `Host` and `Origin`.

    Args:
        names: that this service is reached by, other than `localhost` and addresses of digits; `*`: any.
        origins: of other sites whose pages may use it, such as `https://example.org`; `*`: any.
    """

    def __init__(self, names: Collection[str] = (), origins: Collection[str] = ()) -> None:
        self._names = {"localhost", *(name.lower() for name in names)}
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        self._is_ours = lru_cache(_HOSTS)(self._names_us)  # nearly all requests name the same one

    def check(self, host: str, origin: str | None) -> str | None:
        """The origin, if it is one of another site that may use the service.

        Args:
            host: the header `Host`.
            origin: the header `Origin`; None: the request is not a browser's, or comes from our own page.

        Raises:
            Refusal: for any other.
        """
        if not self._is_ours(host):
            raise Refusal(
                403, "this host is not served here", hint="the service can be started with --allow-host NAME"
            )
        if origin is None or _place(origin) == _place("//" + host):
            return None
        if "*" in self._origins or origin.lower() in self._origins:
            return origin
        raise Refusal(
            403,
            "pages of this origin may not use the service",
            hint="it can be started with --allow-origin URL",
        )

    def _names_us(self, host: str) -> bool:
        place = _place("//" + host)
        if place is None:
            return False
        name = place[0].rstrip(".")
        return "*" in self._names or name in self._names or _is_address(name)


def _place(url: str) -> tuple[str, int | None] | None:
    """Host and port; None if it has none, as the origin `null`. The scheme is the proxy's business."""
    try:
        parts = urlsplit(url)
        port = parts.port if parts.port not in (80, 443) else None
        return (parts.hostname.lower(), port) if parts.hostname and not parts.username else None
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
