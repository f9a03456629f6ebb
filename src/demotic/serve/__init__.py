"""A model as a service: a page for people and JSON for programs."""

from __future__ import annotations

from demotic.serve.app import make_app
from demotic.serve.translator import ServeOptions, Translator

__all__ = ["ServeOptions", "Translator", "make_app"]
