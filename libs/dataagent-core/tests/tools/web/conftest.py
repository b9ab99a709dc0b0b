"""A real web server on loopback for each test."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest
from web_site import HOST, Handler, Site


@pytest.fixture
def site() -> Iterator[Site]:
    server = ThreadingHTTPServer((HOST, 0), Handler)
    server.daemon_threads = True
    made = Site(port=server.server_address[1])
    server.site = made  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()
