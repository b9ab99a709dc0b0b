"""What MySQL's driver aiomysql needs from us: TLS, and a way to write bytes.

TLS: `?ssl=true`, or `?ssl_ca=/path/ca.pem` with an optional client certificate. SQLAlchemy would
pass a dictionary to aiomysql, which expects a context. PostgreSQL's library reads `?sslmode=...`
itself.

Bytes: aiomysql 0.3 calls a function that PyMySQL 1.2 removed. Each connection gets its own function
instead, at one character a byte: PyMySQL's new hexadecimal form takes two, and a text of 10 MB
would no longer fit MariaDB's packets of 16 MB.
"""

import ssl
from typing import Any

from sqlalchemy import URL, Engine, event

from dataagent_core.errors import ConfigurationError

_OPTIONS = ("ssl", "ssl_ca", "ssl_cert", "ssl_key")


def split_tls(url: URL) -> tuple[URL, ssl.SSLContext | None]:
    """Split a URL into a URL without TLS options and the TLS context they describe."""
    options = {name: str(url.query[name]) for name in _OPTIONS if name in url.query}
    plain = url.difference_update_query(_OPTIONS)
    if not options or options.get("ssl", "true").lower() in {"false", "0", "no"}:
        return plain, None
    try:
        context = ssl.create_default_context(cafile=options.get("ssl_ca"))
        if "ssl_cert" in options:
            context.load_cert_chain(options["ssl_cert"], options.get("ssl_key"))
    except OSError as error:
        raise ConfigurationError(
            f"DATAAGENT_DATABASE_URL names a certificate that cannot be used: {error}."
        ) from error
    return plain, context


def enable_bytes(engine: Engine) -> None:
    """Make the engine's connections able to write bytes."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        driver = connection.driver_connection
        escape = driver.escape

        def escape_value(value: object) -> str:
            if not isinstance(value, bytes):
                return escape(value)
            # aiomysql turns these surrogates back into the bytes they stand for.
            text = driver.escape_string(value.decode("ascii", "surrogateescape"))
            return f"_binary'{text}'"

        driver.escape = escape_value
