"""The first questions: they end with a model that works, or with nothing changed.

    what is here > choose > the key or the address > try once > save it

`wiring.start()` reads the settings again afterwards; the settings in memory are not changed.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.setup.model_choice import ModelChoice, choose_model
from dataagent_cli.setup.model_questions import ask_address, ask_key, ask_model, settings_for_model
from dataagent_cli.setup.model_servers import ModelServer
from dataagent_cli.setup.probe import Candidate, find_servers, usual_candidates
from dataagent_cli.setup.prompter import Prompter
from dataagent_cli.setup.save import ModelSettings, save
from dataagent_cli.wiring import App
from dataagent_core.models.model_probe import TRY_S_MAX, probe_model

if TYPE_CHECKING:
    from dataagent_core.config import Settings

MODELS_SHOWN_PER_SERVER = 3
ROUNDS_MAX = 50
DEMO_MODEL = "demo:demo"


@dataclass(frozen=True, slots=True)
class UseModelOffer:
    """Use this model of a server here."""

    server: ModelServer
    model: str


@dataclass(frozen=True, slots=True)
class MoreModelsOffer:
    """See all models of a server here."""

    server: ModelServer


@dataclass(frozen=True, slots=True)
class PasteKeyOffer:
    """Use a provider with a key."""


@dataclass(frozen=True, slots=True)
class OtherAddressOffer:
    """Use a server somewhere else."""


@dataclass(frozen=True, slots=True)
class DemoOffer:
    """Use the scripted model."""


@dataclass(frozen=True, slots=True)
class LeaveOffer:
    """Keep what is set."""


Offer = UseModelOffer | MoreModelsOffer | PasteKeyOffer | OtherAddressOffer | DemoOffer | LeaveOffer


def list_offers(
    servers: Sequence[ModelServer], say: Messages, *, configured: bool
) -> list[tuple[str, Offer]]:
    """List the offers: models of this machine first, because they need nothing more."""
    return [
        *(one for server in servers for one in _server_offers(server, say)),
        (say("setup_option.key"), PasteKeyOffer()),
        (say("setup_option.address"), OtherAddressOffer()),
        (say("setup_option.leave"), LeaveOffer())
        if configured
        else (say("setup_option.demo"), DemoOffer()),
    ]


def _server_offers(server: ModelServer, say: Messages) -> Iterator[tuple[str, Offer]]:
    kind, address = server.kind, server.address
    for model in server.models[:MODELS_SHOWN_PER_SERVER]:
        text = say("setup_option.local", model=model, server=kind, address=address)
        yield text, UseModelOffer(server, model)
    if len(server.models) > MODELS_SHOWN_PER_SERVER:
        count = len(server.models)
        text = say("setup_option.more", count=count, server=kind, address=address)
        yield text, MoreModelsOffer(server)


def is_configured(settings: "Settings") -> bool:
    """Say whether the person chose a model: by name, by a key or by an address."""
    from dataagent_core.models import PROVIDERS

    if settings.model:
        return True
    with_key = (one for one in PROVIDERS.values() if one.key_setting is not None)
    return any(one.key(settings) is not None for one in with_key)


async def ask_for_model(
    app: App, ask: Prompter, candidates: Sequence[Candidate] | None = None
) -> ModelChoice | None:
    """Let the person choose a model; None if they change nothing.

    `candidates` are the addresses to probe; by default the usual ones.
    """
    configured = is_configured(app.settings)
    question = await _question(app, configured=configured)
    ask.tell(app.say("setup_looking"))
    places = usual_candidates(app.settings) if candidates is None else candidates
    offers = list_offers(await find_servers(places), app.say, configured=configured)
    for _ in range(ROUNDS_MAX):
        position = await ask.choose(question, [label for label, _ in offers])
        offer = LeaveOffer() if position is None else offers[position][1]
        if isinstance(offer, LeaveOffer):
            ask.tell(app.say("setup_nothing_done"))
            return None
        if isinstance(offer, DemoOffer):
            ask.tell(app.say("setup_demo"))
            return ModelChoice(DEMO_MODEL, app.say("why_setup"))
        chosen = await _ask_settings(app, ask, offer)
        if chosen is not None and await _try_and_save(app, ask, chosen):
            return ModelChoice(chosen.model, app.say("why_setup"))
    return None


async def _question(app: App, *, configured: bool) -> str:
    if not configured:
        return app.say("setup_none")
    now = await asyncio.to_thread(choose_model, app)
    return app.say("setup_now", model=now.name, why=now.why)


async def _ask_settings(
    app: App,
    ask: Prompter,
    offer: UseModelOffer | MoreModelsOffer | PasteKeyOffer | OtherAddressOffer,
) -> ModelSettings | None:
    match offer:
        case UseModelOffer():
            return settings_for_model(offer.server, offer.model)
        case MoreModelsOffer():
            return await ask_model(ask, app.say, offer.server)
        case PasteKeyOffer():
            return await ask_key(ask, app.say)
        case OtherAddressOffer():
            return await ask_address(ask, app.say)
        case _:
            assert_never(offer)


async def _try_and_save(app: App, ask: Prompter, chosen: ModelSettings) -> bool:
    """Try the chosen model, print the result, and save it unless the person refuses."""
    say, model = app.say, one_line(chosen.model)
    ask.tell(say("setup_trying", model=model))
    tried = await probe_model(chosen.model, chosen.settings(app.settings))
    problem = one_line(chosen.without_keys(tried.problem))
    ask.tell(say(f"setup_tried.{tried.outcome}", model=model, problem=problem, seconds=TRY_S_MAX))
    if not tried.works:
        answer = await ask.choose(say("setup_keep_anyway"), [say("setup_back"), say("setup_yes")])
        if answer != 1:
            return False
    saved = await asyncio.to_thread(save, chosen, app.settings)
    ask.tell(say("setup_saved", path=saved.path))
    for name, source in saved.overruled.items():
        ask.tell(say("setup_overruled", name=name, source=source, path=saved.path))
    return True
