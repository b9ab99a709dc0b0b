"""Is this machine fit: Python, and a home directory that can be written; and the sandbox."""

import platform
import sys
import tempfile
from collections.abc import Iterator

from dataagent_cli.reports.doctor.finding import Finding
from dataagent_cli.wiring import App

_PYTHON_MIN = (3, 11)


def check_machine(app: App) -> Iterator[Finding]:
    """Check what everything else stands on."""
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
    import asyncio

    from dataagent_core.sandbox.bubblewrap.self_test import run_self_test

    tested = asyncio.run(run_self_test())
    if tested.ok:
        detail = app.say("sandbox_good", count=len(tested.passed), seconds=tested.duration_s)
        return Finding("sandbox", "ok", detail)
    why = "; ".join(f"{name}: {problem}" for name, problem in tested.failed.items())
    return Finding("sandbox", "problem", why, app.say("sandbox_fix"))
