"""Certificates are checked against the name that was asked for, not the address dialled."""

import ssl
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from web_site import HOST, Handler, Site

from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_policy import WebPolicy

# Signed by itself, for the name `localhost` and no address.
CERTIFICATE = Path(__file__).with_name("localhost.pem")


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A handshake the client broke off is what these tests are about."""


@pytest.fixture
def secure_site() -> Iterator[Site]:
    server = QuietServer((HOST, 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    site = Site(port=server.server_address[1])
    server.site = site  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    site.page("/", b"secure")
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


def client(site: Site, tls: ssl.SSLContext | None = None) -> WebClient:
    vouched = frozenset({("localhost", site.port), (HOST, site.port)})
    return WebClient(WebPolicy(vouched), tls=tls)


async def test_a_certificate_nobody_vouches_for_is_refused(secure_site: Site) -> None:
    with pytest.raises(ToolExecutionError, match="CERTIFICATE_VERIFY_FAILED"):
        await client(secure_site).request(f"https://localhost:{secure_site.port}/")


async def test_a_trusted_certificate_counts_for_its_name_only(secure_site: Site) -> None:
    trusting = client(secure_site, ssl.create_default_context(cafile=str(CERTIFICATE)))
    assert (await trusting.request(f"https://localhost:{secure_site.port}/")).body == b"secure"
    with pytest.raises(ToolExecutionError, match="CERTIFICATE_VERIFY_FAILED"):
        await trusting.request(f"https://{HOST}:{secure_site.port}/")
