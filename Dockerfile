# One image for every role; the command says which: web, worker, sweeper, or a step of setting up.
FROM debian:bookworm-slim

# Python runs Palfrey; the compilers and interpreters are what submissions are judged with. Those of --build-arg LANGUAGES=
# may be more or fewer: workers offer what they find. Kotlin (355 MB) is left out.
ARG LANGUAGES="default-jdk-headless nodejs pypy3 golang-go rustc fp-compiler fp-units-fcl mono-mcs"
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv g++ postgresql-client $LANGUAGES \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /palfrey
ARG REQUIREMENTS=requirements.lock
COPY requirements.lock requirements-s3.lock ./
RUN python3 -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r $REQUIREMENTS
COPY manage.py pyproject.toml LICENSE ./
COPY sandbox sandbox
COPY problems problems
COPY judge judge
RUN PALFREY_LOCAL=1 PALFREY_SECRET_KEY=for-this-step-only .venv/bin/python manage.py compilemessages

# /data is shared by all containers of the site, /cache by those of one host that judge; it may be thrown away.
ENV PALFREY_VAR=/data PALFREY_CACHE=/cache PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
VOLUME ["/data", "/cache"]
EXPOSE 8000
ENTRYPOINT ["/palfrey/.venv/bin/python", "manage.py"]
CMD ["web", "--host", "0.0.0.0"]
