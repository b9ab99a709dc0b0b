"""Parses and checks the URL of a database server before anything connects.

Drivers accept options in URLs that run commands, read files or log in as another user; only
options known to do none of that are allowed, and others are refused by name.
"""

from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from dataagent_core.config.limits.data import DATA_CONNECT_S, DATA_URL_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.source_spec import SourceKind
from dataagent_core.tools.data.worker_programs.server_worker.sql_address import ServerAddress

SCHEMES: dict[str, SourceKind] = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
}
_PORTS: dict[SourceKind, int] = {"postgres": 5432, "mysql": 3306}
_MYSQL_TLS = {
    "disabled": "",
    "preferred": "",
    "false": "",
    "required": "require",
    "require": "require",
    "true": "require",
    "verify_identity": "verify",
    "verify": "verify",
}
_SESSION_KINDS = frozenset(
    {"any", "read-only", "read-write", "primary", "standby", "prefer-standby"}
)


def parse_server_address(url: str, token: str = "", dialled: str | None = None) -> ServerAddress:
    """Parse a URL of PostgreSQL, MySQL or MariaDB; an error says what is wrong with it."""
    parts = _split_url(url)
    # A driver named after a plus is ignored: we use our own drivers.
    kind = SCHEMES.get(parts.scheme.partition("+")[0])
    if kind is None:
        raise ValidationError(
            f"{parts.scheme}:// is no address of a database server we know. Use postgresql:// or "
            "mysql://user:password@host/database."
        )
    host = parts.hostname or ""
    if not host or "," in host or "/" in unquote(host) or "\\" in host:
        raise ValidationError(
            f"The address must name one host, as in {parts.scheme}://user:password@host/database."
        )
    if not parts.username:
        raise ValidationError("The address must name a login: user:password@host.")
    options, connect_s = _parse_options(kind, parts.query)
    return ServerAddress(
        host=host,
        port=_get_port(parts) or _PORTS[kind],
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        database=unquote(parts.path.removeprefix("/")),
        options=options,
        token=token,
        dialled=dialled or "",
        connect_s=connect_s,
    )


def _split_url(url: str) -> SplitResult:
    if len(url) > DATA_URL_CHARS_MAX or not url.isprintable() or " " in url:
        raise ValidationError("The address is too long or holds spaces or control characters.")
    try:
        parts = urlsplit(url)
        _get_port(parts)
    except ValueError:  # its text may hold the password
        raise ValidationError(
            "The address cannot be read. Write / : @ ? # of a password as %2F %3A %40 %3F %23."
        ) from None
    if parts.fragment:
        raise ValidationError("The address holds a #. Write a # of a password as %23.")
    return parts


def _get_port(parts: SplitResult) -> int | None:
    return parts.port


def _parse_options(kind: SourceKind, query: str) -> tuple[dict[str, str], int]:
    given = dict(parse_qsl(query, keep_blank_values=True))
    seconds = given.pop("connect_timeout", str(DATA_CONNECT_S))
    if not seconds.isdecimal() or not 1 <= int(seconds) <= DATA_CONNECT_S:
        raise ValidationError(f"connect_timeout must be 1 to {DATA_CONNECT_S} seconds.")
    allowed = _ALLOWED[kind]
    options: dict[str, str] = {}
    for name, value in given.items():
        read = allowed.get(name)
        if read is None:
            raise ValidationError(
                f"The option {name!r} is not allowed in an address. Allowed are connect_timeout, "
                f"{', '.join(allowed)}."
            )
        options |= read(value)
    return options, int(seconds)


def _parse_ssl_mode(value: str) -> dict[str, str]:
    if value == "verify-full":
        return {"sslmode": value, "sslrootcert": "system"}
    return _check_choice(
        "sslmode", value, frozenset({"disable", "prefer", "require"}), "verify-full"
    )


def _check_choice(name: str, value: str, allowed: frozenset[str], also: str = "") -> dict[str, str]:
    if value not in allowed:
        words = sorted({*allowed, also} - {""})
        raise ValidationError(f"{name} must be one of {', '.join(words)}.")
    return {name: value}


def _parse_mysql_tls(value: str) -> dict[str, str]:
    if value.lower() not in _MYSQL_TLS:
        raise ValidationError(f"ssl must be one of {', '.join(_MYSQL_TLS)}.")
    return {"ssl": _MYSQL_TLS[value.lower()]}


def _parse_charset(value: str) -> dict[str, str]:
    _check_choice("charset", value, frozenset({"utf8mb4"}))
    return {}


_Reader = Callable[[str], dict[str, str]]
_ALLOWED: dict[SourceKind, Mapping[str, _Reader]] = {
    "postgres": {
        "sslmode": _parse_ssl_mode,
        "channel_binding": lambda value: _check_choice(
            "channel_binding", value, frozenset({"disable", "prefer", "require"})
        ),
        "target_session_attrs": lambda value: _check_choice(
            "target_session_attrs", value, _SESSION_KINDS
        ),
    },
    "mysql": {
        "ssl": _parse_mysql_tls,
        "ssl_mode": _parse_mysql_tls,
        # We always use utf8mb4; many addresses name it.
        "charset": _parse_charset,
    },
}
