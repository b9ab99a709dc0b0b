"""The address the server listens at, and what its connections inherit."""

import socket

import pytest

from dataagent_server.cli.serve.listener import listen
from dataagent_server.settings.limits import UNHEARD_S_MAX


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has none")
def test_a_connection_that_takes_nothing_more_is_dropped_by_the_kernel():
    with listen("127.0.0.1", 0) as listener:
        client = socket.create_connection(listener.getsockname())
        with client, listener.accept()[0] as accepted:
            waits_ms = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert waits_ms == UNHEARD_S_MAX * 1_000
