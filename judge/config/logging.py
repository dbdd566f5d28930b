"""Log lines: readable ones on one's own machine, one JSON object a line elsewhere. All of it goes to standard error."""

from typing import Any

import structlog


def configuration(*, local: bool, level: str) -> dict[str, Any]:
    """Set up structlog and return what `logging.config.dictConfig` wants; lines of both look the same."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if local else "iso", utc=not local),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    last: list[structlog.types.Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if local:
        last.append(
            structlog.dev.ConsoleRenderer(
                colors=False,
                pad_event_to=0,
                pad_level=False,
                exception_formatter=structlog.dev.plain_traceback,
            )
        )
    else:
        last += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": last,
            }
        },
        "handlers": {"line": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["line"], "level": level},
        "loggers": {
            # Whoever sets up handlers of their own is brought back to the one above.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.request": {"level": "ERROR"},
            "django.server": {"handlers": [], "propagate": True},
            "axes": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "judge.operations.requests": {"level": "ERROR" if local else "INFO"},
            "httpx": {"level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
        },
    }
