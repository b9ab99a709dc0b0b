"""The routers of `/api/v1`: every module beneath with a `router`, gathered by the first noun."""

from importlib import import_module
from pkgutil import walk_packages
from typing import Final

from fastapi import APIRouter
from starlette.routing import BaseRoute, Match
from starlette.types import Scope

PREFIX: Final = "/api/v1"
# Stands at the root of the server, where Prometheus looks for it.
_ELSEWHERE: Final = f"{__name__}.metrics"


class _Noun(APIRouter):
    """The routes whose paths begin with one noun.

    It looks at the noun before it looks at its routes: trying all routes of the API one after the
    other took longer than many of them take to answer.
    """

    def __init__(self, noun: str) -> None:
        super().__init__()
        self._beginning = f"{PREFIX}/{noun}"

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path: str = scope["path"].removeprefix(scope.get("root_path", ""))
        if not path.startswith(self._beginning):
            return Match.NONE, {}
        return super().matches(scope)


def routers() -> list[APIRouter]:
    """Gather every route of this version, in the order of the modules' names."""
    nouns: dict[str, APIRouter] = {}
    for name in sorted(module.name for module in walk_packages(__path__, f"{__name__}.")):
        router = getattr(import_module(name), "router", None)
        if router is not None and name != _ELSEWHERE:
            for route in router.routes:
                noun = _noun_of(route)
                nouns.setdefault(noun, _Noun(noun)).routes.append(route)
    return list(nouns.values())


def _noun_of(route: BaseRoute) -> str:
    noun: str = getattr(route, "path", "").split("/")[1]
    if not noun or "{" in noun:
        raise ValueError(f"{route} begins with no noun, so it cannot be found by one.")
    return noun
