"""Chooses the driver for `DATAAGENT_DATABASE_URL`. Passwords are never shown."""

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from dataagent_core.errors import ConfigurationError

_DRIVERS = {
    "sqlite": "sqlite",
    "mysql": "mysql+aiomysql",
    "mariadb": "mysql+aiomysql",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}


def database_url(text: str) -> URL:
    """Parse a URL and choose its driver by its scheme."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise ConfigurationError(
            "DATAAGENT_DATABASE_URL is not a URL: write sqlite:///path, "
            "postgresql://user:password@host/name or mysql://user:password@host/name, with "
            "special characters of the password percent-encoded."
        ) from error
    scheme = url.drivername.partition("+")[0]
    if scheme not in _DRIVERS:
        raise ConfigurationError(
            f"DATAAGENT_DATABASE_URL is {url!r}; {scheme!r} is no database DataAgent can use: "
            "choose sqlite, postgresql, mysql or mariadb."
        )
    url = url.set(drivername=_DRIVERS[scheme])
    if scheme in {"mysql", "mariadb"} and "charset" not in url.query:
        url = url.update_query_dict({"charset": "utf8mb4"})
    return url


def postgres_dsn(url: URL) -> str:
    """Write a PostgreSQL URL for libpq, with the password: for drivers, never for people."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)
