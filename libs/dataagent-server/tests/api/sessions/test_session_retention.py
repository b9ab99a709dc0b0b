"""A server that is told how long to keep sessions deletes the others by itself."""

from datetime import timedelta

import pytest
from sqlalchemy import update
from talking import talking
from waiting import eventually

from dataagent_core.session.state import now
from dataagent_server.composition import chores
from dataagent_server.db.tables.conversations import sessions
from tests.server.fixtures import MakeSettings


async def test_an_idle_session_goes_and_one_in_use_stays(
    make_settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(chores, "TIDY_S", 0.05)
    async with talking(make_settings(session_retention_days="2")) as talk:
        ann = await talk.person()
        old, new = await talk.session(ann), await talk.session(ann)
        mine = update(sessions).where(sessions.c.session_id == old)
        past = mine.values(last_active=now() - timedelta(days=3))
        await talk.services.database.write(lambda c: c.execute(past))

        async def gone() -> bool:
            answer = await talk.http.get(f"/api/v1/sessions/{old}", headers=ann.headers)
            return answer.status_code == 404

        await eventually(gone)
        there = await talk.http.get(f"/api/v1/sessions/{new}", headers=ann.headers)
        assert there.status_code == 200
