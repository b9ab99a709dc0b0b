"""What a person can choose in the first minutes, with the words for it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dataagent_cli.messages import Messages
from dataagent_cli.setup.model_servers import ModelServer

MODELS_SHOWN_PER_SERVER = 3


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


def offers(
    servers: Sequence[ModelServer], say: Messages, *, configured: bool
) -> list[tuple[str, Offer]]:
    """List what can be chosen: models that are here first, they need nothing more."""
    return [
        *(one for server in servers for one in _of_server(server, say)),
        (say("setup_option.key"), PasteKeyOffer()),
        (say("setup_option.address"), OtherAddressOffer()),
        (say("setup_option.leave"), LeaveOffer())
        if configured
        else (say("setup_option.demo"), DemoOffer()),
    ]


def _of_server(server: ModelServer, say: Messages) -> Iterator[tuple[str, Offer]]:
    kind, address = server.kind, server.address
    for model in server.models[:MODELS_SHOWN_PER_SERVER]:
        told = say("setup_option.local", model=model, server=kind, address=address)
        yield told, UseModelOffer(server, model)
    if len(server.models) > MODELS_SHOWN_PER_SERVER:
        count = len(server.models)
        told = say("setup_option.more", count=count, server=kind, address=address)
        yield told, MoreModelsOffer(server)
