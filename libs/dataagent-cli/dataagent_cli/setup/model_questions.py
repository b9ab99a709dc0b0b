"""Asks for what an offer still needs: the model, the key and its provider, the address."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dataagent_cli.messages import Messages
from dataagent_cli.setup.keys import KeyProblem, recognise_key
from dataagent_cli.setup.model_servers import ModelServer
from dataagent_cli.setup.probe import NotAListError, server_at
from dataagent_cli.setup.prompter import Prompter
from dataagent_cli.setup.save import ModelSettings

if TYPE_CHECKING:
    from dataagent_core.models import Provider


def settings_for_model(server: ModelServer, model: str, key: str | None = None) -> ModelSettings:
    """Return the settings that reach a model of a server. Pure."""
    values: dict[str, str] = {}
    if server.base_url is not None:
        values["openai_base_url"] = server.base_url
    if key is not None:
        values["openai_api_key"] = key
    return ModelSettings(server.model_name(model), values)


async def ask_model(
    ask: Prompter, say: Messages, server: ModelServer, key: str | None = None
) -> ModelSettings | None:
    """Ask which model of a server to use."""
    position = 0
    if len(server.models) > 1:
        chosen = await ask.choose(say("setup_which_model"), server.models)
        if chosen is None:
            return None
        position = chosen
    return settings_for_model(server, server.models[position], key)


async def ask_key(ask: Prompter, say: Messages) -> ModelSettings | None:
    """Ask for a key, and for its provider if its shape does not tell."""
    from dataagent_core.models import PROVIDERS

    typed = await ask.secret(say("setup_key_ask"))
    if typed is None:
        return None
    found = recognise_key(typed)
    if isinstance(found, KeyProblem):
        problem = say(f"setup_key_problem.{found.problem}", provider=found.provider)
        ask.tell(say("setup_key_strange", problem=problem))
        return None
    provider = await _choose_provider(ask, say, [PROVIDERS[name] for name in found.providers])
    if provider is None or provider.key_setting is None:
        return None
    model = f"{provider.name}:{provider.default_model}"
    return ModelSettings(model, {provider.key_setting: typed.strip()})


async def ask_address(ask: Prompter, say: Messages) -> ModelSettings | None:
    """Ask for an address, its key if it needs one, and the model."""
    typed = await ask.line(say("setup_address_ask"))
    if typed is None:
        return None
    address = typed.strip()
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username:
        ask.tell(say("setup_address_bad", address=address[:200]))
        return None
    typed_key = await ask.secret(say("setup_address_key"))
    if typed_key is None:
        return None
    key = typed_key.strip() or None
    try:
        server = await server_at(address, key)
    except NotAListError as error:
        ask.tell(say("setup_address_nothing", address=address[:200], problem=error))
        return None
    return await ask_model(ask, say, server, key)


async def _choose_provider(
    ask: Prompter, say: Messages, providers: "Sequence[Provider]"
) -> "Provider | None":
    if len(providers) == 1:
        ask.tell(say("setup_key_recognised", provider=providers[0].title))
        return providers[0]
    chosen = await ask.choose(say("setup_which_provider"), [one.title for one in providers])
    return None if chosen is None else providers[chosen]
