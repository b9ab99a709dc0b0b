"""Names of sessions, data sources, models, skills and sub-agents, for the Tab key.

A person waits for the key, so only small local files are read, nothing is connected to, and every
error means that there is nothing to offer.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from dataagent_core.config import Settings

OFFERED_MAX = 100
_FILE_BYTES_MAX = 1_000_000
_LOCKED_S_MAX = 0.2

Offer = tuple[str, str | None]
Offers = Callable[["Settings"], Iterator[Offer]]
Completing = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]


def _make_completer(offers: Offers) -> Completing:
    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        del context, parameter
        try:
            from dataagent_core.config import Settings

            return list(_select_matching(offers(Settings()), incomplete))
        except Exception:  # noqa: BLE001 (whatever it is, the person only pressed Tab)
            return []

    return complete


def _select_matching(offers: Iterator[Offer], incomplete: str) -> Iterator[CompletionItem[str]]:
    seen: set[str] = set()
    for value, text in offers:
        plain = value.isprintable() and " " not in value and value not in seen
        if plain and value.startswith(incomplete):
            seen.add(value)
            yield CompletionItem(value, help=text)
        if len(seen) >= OFFERED_MAX:
            return


def _sessions(settings: "Settings") -> Iterator[Offer]:
    from dataagent_cli.wiring import TENANT

    uri = f"{settings.database_path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=_LOCKED_S_MAX)) as connection:
        rows = connection.execute(
            "SELECT session_id, metadata FROM sessions WHERE tenant_id = ? "
            "ORDER BY last_active DESC",
            (TENANT,),
        )
        for session_id, metadata in rows:
            title = json.loads(metadata).get("title")
            yield session_id, " ".join(title.split()) if isinstance(title, str) else None


def _sources(settings: "Settings") -> Iterator[Offer]:
    # The names alone are not secret, and opening the store itself takes a second.
    with (settings.home / "sources.json").open("rb") as file:
        offers = json.loads(file.read(_FILE_BYTES_MAX))
    yield from ((name, None) for name in sorted(offers))


def _models(settings: "Settings") -> Iterator[Offer]:
    from dataagent_core.config.model_catalog import PRESETS
    from dataagent_core.errors import ConfigurationError
    from dataagent_core.models.providers import PROVIDERS
    from dataagent_core.models.spec import parse_spec

    if settings.model:
        yield settings.model, None
    for provider in PROVIDERS.values():
        if provider.default_model:
            yield f"{provider.name}:{provider.default_model}", None
    for name in (*PRESETS, *settings.models):
        try:
            yield str(parse_spec(name)), None
        except ConfigurationError:  # a name without a provider
            continue


def _skills(settings: "Settings") -> Iterator[Offer]:
    from dataagent_core.config.paths import PERSON_SKILLS, PROJECT_SKILLS
    from dataagent_core.skills.built_in_skills import built_in_folder

    own = settings.home / "agents" / settings.assistant_id / PERSON_SKILLS
    for folder in (Path.cwd() / PROJECT_SKILLS, own, built_in_folder()):
        yield from ((path.parent.name, None) for path in sorted(folder.glob("*/SKILL.md")))


def _subagents(settings: "Settings") -> Iterator[Offer]:
    from dataagent_core.subagents.built_in_subagents import built_in_subagents
    from dataagent_core.subagents.subagent_folder import PERSON_SUBAGENTS, PROJECT_SUBAGENTS

    own = settings.home / "agents" / settings.assistant_id / PERSON_SUBAGENTS
    for folder in (Path.cwd() / PROJECT_SUBAGENTS, own):
        yield from ((path.stem, None) for path in sorted(folder.glob("*.md")))
    yield from ((one.name, one.display_name) for one in built_in_subagents())


session_ids = _make_completer(_sessions)
source_names = _make_completer(_sources)
model_names = _make_completer(_models)
skill_names = _make_completer(_skills)
subagent_names = _make_completer(_subagents)


def sources_or_files(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Offer source names; if none matches, complete a file path."""
    named = source_names(context, parameter, incomplete)
    return named or [CompletionItem(incomplete, type="file")]
