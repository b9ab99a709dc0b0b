"""What a person can choose in the first minutes, with the words for it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dataagent_cli.messages import Messages
from dataagent_cli.setup.model_servers import Server

MODELS_SHOWN_PER_SERVER = 3


@dataclass(frozen=True, slots=True)
class UseModel:
    """Use this model of a server here."""

    server: Server
    model: str


@dataclass(frozen=True, slots=True)
class MoreModels:
    """See all models of a server here."""

    server: Server


@dataclass(frozen=True, slots=True)
class PasteKey:
    """Use a provider with a key."""


@dataclass(frozen=True, slots=True)
class OtherAddress:
    """Use a server somewhere else."""


@dataclass(frozen=True, slots=True)
class Demo:
    """Use the scripted model."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Keep what is set."""


Offer = UseModel | MoreModels | PasteKey | OtherAddress | Demo | Leave


def offers(
    servers: Sequence[Server], say: Messages, *, configured: bool
) -> list[tuple[str, Offer]]:
    """List what can be chosen: models that are here first, they need nothing more."""
    return [
        *(one for server in servers for one in _of_server(server, say)),
        (say("setup_option.key"), PasteKey()),
        (say("setup_option.address"), OtherAddress()),
        (say("setup_option.leave"), Leave()) if configured else (say("setup_option.demo"), Demo()),
    ]


def _of_server(server: Server, say: Messages) -> Iterator[tuple[str, Offer]]:
    kind, address = server.kind, server.address
    for model in server.models[:MODELS_SHOWN_PER_SERVER]:
        told = say("setup_option.local", model=model, server=kind, address=address)
        yield told, UseModel(server, model)
    if len(server.models) > MODELS_SHOWN_PER_SERVER:
        count = len(server.models)
        told = say("setup_option.more", count=count, server=kind, address=address)
        yield told, MoreModels(server)
