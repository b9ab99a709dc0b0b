"""Bytes for MySQL: aiomysql 0.3 asks PyMySQL for a function that PyMySQL 1.2 took away.

Each connection gets its own way of writing bytes instead, at one character a byte: PyMySQL's new
hexadecimal form takes two, and a text of 10 MB would no longer fit MariaDB's packets of 16 MB.
"""

from typing import Any

from sqlalchemy import Engine, event


def send_bytes(engine: Engine) -> None:
    """Teach the engine's connections to write bytes."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        driver = connection.driver_connection
        escape = driver.escape

        def escape_bytes_too(value: object) -> str:
            if not isinstance(value, bytes):
                return escape(value)
            # aiomysql turns these surrogates back into the bytes they stand for.
            text = driver.escape_string(value.decode("ascii", "surrogateescape"))
            return f"_binary'{text}'"

        driver.escape = escape_bytes_too
