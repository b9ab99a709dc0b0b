"""Reading an address: one spelling of it, or an error that says what is wrong with it.

httpx reads it (names become punycode, so a look-alike letter shows); what is refused here is
refused at every hop. Whether the host may be reached is `web_policy.py`'s.
"""

import httpx

from dataagent_core.config.limits import WEB_URL_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.permissions.taint import HOST

_PORT_MAX = 65_535

DEFAULT_PORTS = {"http": 80, "https": 443}


def parse_url(text: str) -> httpx.URL:
    """Read an http or https address without credentials; the fragment is left off."""
    if len(text) > WEB_URL_CHARS_MAX:
        raise ValidationError(
            f"The URL has {len(text):,} characters, more than the {WEB_URL_CHARS_MAX:,} allowed."
        )
    try:
        url = httpx.URL(text.strip())
        shown = str(url)
    except (httpx.InvalidURL, UnicodeError) as error:
        raise ValidationError(f"{text!r:.200} is not a URL: {error}.") from error
    if url.scheme not in DEFAULT_PORTS:
        raise ValidationError(
            f"{shown!r:.200} does not begin with http:// or https://; only these are fetched."
        )
    if not HOST.fullmatch(read_host(url)) or read_port(url) > _PORT_MAX:
        raise ValidationError(f"{shown!r:.200} names no host, or a port that cannot be.")
    if url.userinfo or "@" in url.netloc.decode("ascii", "replace"):
        raise ValidationError(
            f"The URL of {read_host(url)} carries a user name or password. Leave it out; "
            "http_request can send an Authorization header."
        )
    return url.copy_with(fragment=None)


def read_host(url: httpx.URL) -> str:
    """Give the host in small ASCII letters, without the dot a full name may end in."""
    return url.raw_host.decode("ascii").lower().rstrip(".")


def read_port(url: httpx.URL) -> int:
    """Give the port that will be dialled."""
    return url.port or DEFAULT_PORTS[url.scheme]


def format_url(url: httpx.URL) -> str:
    """Write the address so that nothing in it can pose as another: punycode, escapes, ASCII."""
    host = read_host(url)
    place = f"[{host}]" if ":" in host else host
    port = "" if url.port is None else f":{url.port}"
    return f"{url.scheme}://{place}{port}{url.raw_path.decode('ascii')}"


def is_same_origin(one: httpx.URL, other: httpx.URL) -> bool:
    """Say whether two addresses belong to one host; going up to https on it stays there."""
    if read_host(one) != read_host(other):
        return False
    if (one.scheme, read_port(one)) == (other.scheme, read_port(other)):
        return True
    upgraded = ("http", 80, "https", 443)
    return (one.scheme, read_port(one), other.scheme, read_port(other)) == upgraded
