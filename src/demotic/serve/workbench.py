"""The page in the browser."""

from __future__ import annotations

from starlette.routing import Route

from demotic.serve.service import Service


def workbench_routes(service: Service) -> list[Route]:
    """None yet."""
    return []
