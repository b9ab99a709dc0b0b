"""`dataagent doctor`: checks the machine, the database and the model, with a fix per problem."""

import asyncio
import contextlib
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line, sanitize_text
from dataagent_cli.setup.model_choice import choose_model
from dataagent_cli.wiring import App, open_stores
from dataagent_core.errors import DataAgentError

if TYPE_CHECKING:
    from dataagent_core.config import Settings

Status = Literal["ok", "note", "problem"]
_ICONS = {"ok": "✓", "note": "·", "problem": "✗"}
_PYTHON_MIN = (3, 11)
_ANSWER_S_MAX = 5.0
# The SDKs' addresses when none is set.
_ADDRESSES = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com/v1",
    "google_genai": "https://generativelanguage.googleapis.com",
    "deepseek": "https://api.deepseek.com",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of `dataagent doctor`; only a problem makes it fail."""

    check: str
    status: Status
    detail: str
    fix: str | None = None


def examine(app: App, as_json: bool) -> int:
    """Run the checks, print the findings, and return the exit code."""
    findings = findings_of(app)
    healthy = all(finding.status != "problem" for finding in findings)
    if as_json:
        write_document({"healthy": healthy, "checks": [asdict(finding) for finding in findings]})
    else:
        print_findings(app, findings)
    return exit_codes.DONE if healthy else exit_codes.FAILED


def findings_of(app: App) -> list[Finding]:
    """Run the checks; blocks."""
    return [*check_machine(app), check_database(app), *check_model(app)]


def print_findings(app: App, findings: list[Finding]) -> None:
    """Print what was found."""
    for finding in findings:
        _print(app, finding)


def _print(app: App, finding: Finding) -> None:
    detail = app.say.translate(sanitize_text(finding.detail))
    app.output.line(f"{_ICONS[finding.status]} {finding.check:<9} {detail}")
    if finding.fix:
        app.output.line(f"            {app.say('fix', text=finding.fix)}")


def check_database(app: App) -> Finding:
    """Check the file with SQLite's own check, then open it, which may migrate it."""
    try:
        path = app.settings.database_path
        if not path.exists():
            return Finding("database", "ok", app.say("database_new", path=path))
        problem = _quick_check(path)
        if problem is not None:
            detail = app.say("database_damaged", path=path, problem=problem)
            return Finding("database", "problem", detail, app.say("database_fix"))
        asyncio.run(_open(app))
    except DataAgentError as error:
        return Finding("database", "problem", str(error), app.say("see_message"))
    size = path.stat().st_size
    return Finding("database", "ok", app.say("database_ok", path=path, size=size))


def _quick_check(path: Path) -> str | None:
    try:
        uri = f"{path.as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return None if verdict == "ok" else str(verdict)


async def _open(app: App) -> None:
    async with open_stores(app.settings):
        pass


def check_machine(app: App) -> Iterator[Finding]:
    """Check Python, the home directory and the sandbox."""
    say = app.say
    version = platform.python_version()
    if sys.version_info >= _PYTHON_MIN:
        yield Finding("python", "ok", say("python_ok", version=version))
    else:
        yield Finding("python", "problem", say("python_old", version=version), say("python_fix"))
    yield _home(app)
    yield _sandbox(app)


def _home(app: App) -> Finding:
    home = app.settings.home
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        problem = error.strerror or str(error)
        detail = app.say("home_bad", path=home, problem=problem)
        return Finding("home", "problem", detail, app.say("home_fix"))
    return Finding("home", "ok", app.say("home_ok", path=home))


def _sandbox(app: App) -> Finding:
    from dataagent_core.sandbox.bubblewrap.self_test import run_self_test

    tested = asyncio.run(run_self_test())
    if tested.ok:
        detail = app.say("sandbox_good", count=len(tested.passed), seconds=tested.duration_s)
        return Finding("sandbox", "ok", detail)
    why = "; ".join(f"{name}: {problem}" for name, problem in tested.failed.items())
    return Finding("sandbox", "problem", why, app.say("sandbox_fix"))


def check_model(app: App) -> Iterator[Finding]:
    """Check the model that `dataagent run` would use now, and its address."""
    from dataagent_core.models import resolve_model

    say = app.say
    try:
        choice = choose_model(app)
        resolved = resolve_model(choice.name, app.settings)
    except DataAgentError as error:
        yield Finding("model", "problem", str(error), say("see_message"))
        return
    if choice.notice is not None:
        yield Finding("model", "note", say("model_demo"), say("model_demo_fix"))
        return
    yield Finding("model", "ok", say("model_ok", model=resolved.name, why=choice.why))
    url = _address(resolved.name.partition(":")[0], app.settings)
    if url is not None:
        yield _reachable(app, url)


def _address(provider: str, settings: "Settings") -> str | None:
    from dataagent_core.models import PROVIDERS
    from dataagent_core.models.listing.ollama import ollama_url

    if provider == "ollama":
        return ollama_url(settings.ollama_host)
    if provider == "dashscope":
        return settings.dashscope_base_url
    known = PROVIDERS.get(provider)
    return (known.base_url(settings) if known else None) or _ADDRESSES.get(provider)


def _reachable(app: App, url: str) -> Finding:
    import httpx

    try:
        # Any response will do, a refusal included: the server is there.
        httpx.head(url, timeout=_ANSWER_S_MAX)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        problem = one_line(str(error)) or type(error).__name__
        detail = app.say("endpoint_bad", url=url, problem=problem)
        return Finding("endpoint", "problem", detail, app.say("endpoint_fix"))
    return Finding("endpoint", "ok", app.say("endpoint_ok", url=url))
