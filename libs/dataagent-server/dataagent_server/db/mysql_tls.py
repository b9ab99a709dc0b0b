"""TLS to MySQL: `?ssl=true`, or `?ssl_ca=/path/ca.pem` with, where asked for, a client certificate.

SQLAlchemy would hand aiomysql a dictionary, and aiomysql wants a context. PostgreSQL needs nothing:
its library reads `?sslmode=...` itself.
"""

import ssl

from sqlalchemy import URL

from dataagent_core.errors import ConfigurationError

_OPTIONS = ("ssl", "ssl_ca", "ssl_cert", "ssl_key")


def without_tls(url: URL) -> tuple[URL, ssl.SSLContext | None]:
    """Take the TLS options out of a URL, and make a context of them if there are any."""
    told = {name: str(url.query[name]) for name in _OPTIONS if name in url.query}
    plain = url.difference_update_query(_OPTIONS)
    if not told or told.get("ssl", "true").lower() in {"false", "0", "no"}:
        return plain, None
    try:
        context = ssl.create_default_context(cafile=told.get("ssl_ca"))
        if "ssl_cert" in told:
            context.load_cert_chain(told["ssl_cert"], told.get("ssl_key"))
    except OSError as error:
        raise ConfigurationError(
            f"DATAAGENT_DATABASE_URL names a certificate that cannot be used: {error}."
        ) from error
    return plain, context
