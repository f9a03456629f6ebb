# demotic serve in a container. Models are mounted, not copied:
#   docker build -t demotic .
#   docker run --rm -p 127.0.0.1:8000:8000 -v "$PWD/model:/models/model:ro" demotic serve /models/model --host 0.0.0.0
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels '/source[serve]'

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels 'demotic[serve]' && rm -rf /wheels \
    && useradd --system --create-home demotic
USER demotic
EXPOSE 8000
# SIGTERM, which `docker stop` sends, ends the service within five seconds.
ENTRYPOINT ["demotic"]
CMD ["--help"]
