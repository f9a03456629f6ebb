"""Models as a service: LibreTranslate's interface, one of our own, and a workbench in the browser."""

from __future__ import annotations

from demotic.serve.app import load_service, make_app
from demotic.serve.options import ServeOptions
from demotic.serve.service import Service

__all__ = ["ServeOptions", "Service", "load_service", "make_app"]
