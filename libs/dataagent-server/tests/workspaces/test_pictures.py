"""A picture that a person uploads reaches the model with their message."""

import base64
import json
from typing import Any

from drawn_pictures import noise, opened
from workspace_calls import caller

from dataagent_core.testing import Script, ScriptedEndpoint
from tests.server.fixtures import MakeApi

# As the console writes it.
MESSAGE = 'What is this?\n\nFiles in the workspace: @"/uploads/my shot.png", `/uploads/a.csv`'


async def test_an_uploaded_picture_reaches_the_model_and_no_event_holds_it(
    make_api: MakeApi, clean_environment: dict[str, str]
) -> None:
    data = noise(1_200, 300)
    script = Script.model_validate({"steps": [{"text": "Noise."}]})
    with ScriptedEndpoint(script) as endpoint:
        clean_environment["OPENAI_BASE_URL"] = endpoint.base_url
        async with make_api(rate_limit_per_minute="0", model="openai:gpt-4o") as client:
            ann = await caller(client, "ann")
            space = (await ann.create())["workspace_id"]
            await ann.put(space, "/uploads/my shot.png", data)
            await ann.put(space, "/uploads/a.csv", b"secret\n1\n")
            answer = await client.post(
                "/api/v1/chat", json={"message": MESSAGE}, headers={"X-API-Key": ann.key}
            )
            assert answer.json()["status"] == "done", answer.text
            sessions = await client.get("/api/v1/sessions", headers={"X-API-Key": ann.key})
            session = sessions.json()["items"][0]["session_id"]
            log = await client.get(
                f"/api/v1/sessions/{session}/events", headers={"X-API-Key": ann.key}
            )
        content: list[Any] = endpoint.requests[-1].body["messages"][-1]["content"]
    (url,) = (part["image_url"]["url"] for part in content if part["type"] == "image_url")
    assert opened(base64.b64decode(url.partition(";base64,")[2])).size == (1_200, 300)
    # Data stays with the tools that ask for it.
    assert "secret" not in json.dumps(content)
    assert log.status_code == 200
    assert len(log.text) + len(answer.text) < len(data)
