"""All agents of a server share its embedder, and the indexes of skills that are made with it."""

from dataclasses import replace

from live_server import LiveServer
from pydantic import SecretStr

from dataagent_server.agents.credentials.model_credential import UsableCredential
from dataagent_server.runs.agents.agent_pool import ToolListSubject


async def test_a_tenants_own_address_gets_no_texts_to_embed(live: LiveServer):
    builder = live.services.runs.agents._builder  # pyright: ignore[reportPrivateUsage]
    ann = (await live.person("ann")).who
    whom = ToolListSubject(ann.tenant_id, ann.user_id, live.services.settings.assistant_id, None)
    plan = await builder.plan(whom)
    own = UsableCredential("openai", SecretStr("sk-of-the-tenant"), "http://127.0.0.1:9", None)
    executor = builder.create_executor(replace(plan, credentials=(own,)))
    skills = executor._resources.skills  # pyright: ignore[reportPrivateUsage]
    assert skills is not None
    assert skills.matchers is live.services.skills.sets.matchers
    assert skills.matchers.embedder is live.services.subagents.embedder
    await executor.aclose()
