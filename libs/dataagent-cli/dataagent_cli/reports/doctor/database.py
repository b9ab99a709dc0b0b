"""Is the database sound: SQLite's own check first, then whether this DataAgent can open it."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

from dataagent_cli.reports.doctor.finding import Finding
from dataagent_cli.wiring import App, open_stores
from dataagent_core.errors import DataAgentError


def check_database(app: App) -> Finding:
    """Check the file without changing it, unless it is a sound one of an older version."""
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
