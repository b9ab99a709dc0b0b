"""The model that reads episodes of a tenant for its knowledge graph, with the tenant's own keys."""

from dataagent_core.config import Settings
from dataagent_core.memory.graph.extraction.model_call import ModelCall, ask_chat_model
from dataagent_server.agents.credentials.apply_credentials import settings_for
from dataagent_server.agents.credentials.credential_service import CredentialService
from dataagent_server.common.ids import TenantId
from dataagent_server.runs.agents.shared_models import SharedModels


def make_episode_call(
    settings: Settings, credentials: CredentialService, models: SharedModels, tenant_id: TenantId
) -> ModelCall | None:
    """Make the call; None where the settings name no model, and rules read episodes.

    Without a key for it the call is a `ConfigurationError`, and rules read them too.
    """
    name = settings.entity_extraction_model
    if not name:
        return None

    async def ask(instructions: str, text: str, *, answer_tokens_max: int) -> str:
        own = settings_for(settings, await credentials.credentials_for(tenant_id))
        call = ask_chat_model(models.resolve(name, own).model)
        return await call(instructions, text, answer_tokens_max=answer_tokens_max)

    return ask
