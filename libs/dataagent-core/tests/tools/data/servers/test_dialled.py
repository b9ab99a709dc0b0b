"""Where an address was looked up and allowed before, no other is dialled, whatever the name says."""

from dataclasses import replace

import pytest
from data_servers import Server

from dataagent_core.errors import QueryFailedError
from dataagent_core.tools.data.sources.engines.server_engine import ServerEngine


async def test_the_allowed_address_is_dialled_and_the_name_is_not_asked(server: Server):
    spec = server.engine().spec
    elsewhere = spec.location.replace("127.0.0.1", "nowhere.invalid")
    assert elsewhere != spec.location
    engine = ServerEngine(replace(spec, location=elsewhere, dialled="127.0.0.1"))
    try:
        assert await engine.fingerprint()
    finally:
        await engine.aclose()


async def test_nothing_else_is_tried_where_the_allowed_address_does_not_answer(server: Server):
    # Loopback has many addresses, and the servers listen at one of them.
    engine = ServerEngine(replace(server.engine().spec, dialled="127.0.0.9"))
    try:
        with pytest.raises(QueryFailedError):
            await engine.fingerprint()
    finally:
        await engine.aclose()
