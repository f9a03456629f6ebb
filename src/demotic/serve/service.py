"""What all routes share: the models and everything around them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from demotic.serve.detector import Detector
from demotic.serve.documents import Document, Format
from demotic.serve.fields import Fields, read_fields
from demotic.serve.hosts import Hosts
from demotic.serve.keys import Client, Keys
from demotic.serve.metrics import Metrics
from demotic.serve.models import Models
from demotic.serve.options import ServeOptions
from demotic.serve.request_log import Record, RequestLog
from demotic.serve.suggestions import Suggestions
from demotic.serve.translator import Translator, Wanted
from demotic.serve.workers import Workers


@dataclass(frozen=True)
class Asked:
    """A request: its fields, who sends it, and what is noted of it."""

    fields: Fields
    client: Client
    record: Record


@dataclass
class Service:
    """Models, bounds, keys, suggestions and counts."""

    models: Models
    workers: Workers
    detector: Detector
    options: ServeOptions = field(default_factory=ServeOptions)
    keys: Keys = field(default_factory=Keys)
    hosts: Hosts = field(default_factory=Hosts)
    suggestions: Suggestions = field(default_factory=Suggestions)
    metrics: Metrics = field(default_factory=Metrics)
    log: RequestLog = field(default_factory=RequestLog)
    ready: bool = True

    async def asked(self, request: Request) -> Asked:
        """The fields of a request whose client may send it."""
        fields = await read_fields(request)
        client = self.keys.client(request, fields)
        record = Record.of(request.scope)
        record.client = client.name
        return Asked(fields, client, record)

    async def translate(
        self, translator: Translator, texts: Sequence[str], format: Format, k: int, record: Record
    ) -> list[list[str]]:
        """The k best translations of each text: the best of all its sentences, then their second best, and so on."""
        documents = await self.workers.prepare(
            sum(map(len, texts)), lambda: [Document(text, translator.source, format) for text in texts]
        )
        sentences = [sentence for document in documents for sentence in document.sentences]
        found = iter(await translator.translate(sentences, Wanted(k), record))
        self.metrics.count(len(sentences), record.words)
        result = []
        for document in documents:
            lists = [next(found).hypotheses for _ in document.sentences]
            most = max(map(len, lists), default=1)
            joined = [
                document.join([each[min(i, len(each) - 1)].text for each in lists]) for i in range(most)
            ]
            result.append(list(dict.fromkeys(joined)))
        return result


Handler = Callable[[Service, Request], Awaitable[Response]]


def route(service: Service, path: str, method: str, handler: Handler) -> Route:
    """A route whose requests are logged under its path."""

    async def answer(request: Request) -> Response:
        Record.of(request.scope).route = path
        return await handler(service, request)

    return Route(path, answer, methods=[method])
