"""A server that is told how long to keep sessions deletes the others by itself."""

from datetime import timedelta

import pytest
from eventually import eventually
from live_server import open_live_server
from sqlalchemy import update

from dataagent_core.session.state import now
from dataagent_server.composition import chores
from dataagent_server.db.tables.conversations import sessions
from tests.server.fixtures import MakeSettings


async def test_an_idle_session_goes_and_one_in_use_stays(
    make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(chores, "TIDY_S", 0.05)
    async with open_live_server(make_settings(session_retention_days="2")) as live:
        ann = await live.person()
        old, new = await live.session(ann), await live.session(ann)
        mine = update(sessions).where(sessions.c.session_id == old)
        past = mine.values(last_active=now() - timedelta(days=3))
        await live.services.database.write(lambda c: c.execute(past))

        async def gone() -> bool:
            answer = await live.http.get(f"/api/v1/sessions/{old}", headers=ann.headers)
            return answer.status_code == 404

        await eventually(gone)
        there = await live.http.get(f"/api/v1/sessions/{new}", headers=ann.headers)
        assert there.status_code == 200
