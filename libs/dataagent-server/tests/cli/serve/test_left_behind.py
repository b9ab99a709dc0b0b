"""An application that is over leaves nothing behind: neither objects nor connections."""

import gc
import weakref
from pathlib import Path

from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from dataagent_core.config import Settings
from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from dataagent_server.runs.agents.shared_models import SharedModels
from tests.server.fixtures import MakeApi, app_of


async def test_what_an_application_was_made_of_goes_with_it(make_api: MakeApi):
    async with make_api() as client:
        database = weakref.ref(app_of(client).state.services.database)
        assert database() is not None
    del client
    gc.collect()
    assert database() is None


async def test_the_connections_of_shared_models_are_closed(tmp_path: Path):
    models = SharedModels()
    script = Script.model_validate({"steps": [{"text": "Hello."}]})
    with ScriptedEndpoint(script) as endpoint:
        settings = Settings(
            home=tmp_path, openai_api_key=SecretStr("none"), openai_base_url=endpoint.base_url
        )
        lent = models.resolve("openai:scripted", settings)
        assert isinstance(lent.model, ChatOpenAI)
        await lent.model.ainvoke("hi")
        # An agent that ends leaves it to the others.
        await lent.aclose()
        assert not lent.model.root_async_client.is_closed()
        await models.aclose()
        assert lent.model.root_async_client.is_closed()
    assert models.resolve("openai:scripted", settings).model is not lent.model
