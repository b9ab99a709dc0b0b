"""The routers of `/api/v1`: every module here that has a `router`, one per noun."""

from importlib import import_module
from pkgutil import iter_modules

from fastapi import APIRouter

PREFIX = "/api/v1"
# Stands at the root of the server, where Prometheus looks for it.
_ELSEWHERE = frozenset({"metrics"})


def router() -> APIRouter:
    """Gather every router of this version, in the order of their names."""
    gathered = APIRouter(prefix=PREFIX)
    for name in sorted(module.name for module in iter_modules(__path__)):
        if name not in _ELSEWHERE:
            gathered.include_router(import_module(f"{__name__}.{name}").router)
    return gathered
