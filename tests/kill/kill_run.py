"""Kills a run at a named point, and resumes it to its end."""

import json
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.kill.victim import ROOT, Victim

# Only ends a hang: a busy machine takes a minute to start a process.
RESUME_S_MAX = 300


def kill_and_resume(
    tmp_path: Path,
    point: str,
    played: dict[str, Any],
    nths: Sequence[int],
    kind: type[Victim] = Victim,
) -> None:
    """Kill a run at the nth moment of a kind, for each of several, and resume it to its end."""
    hits = 0
    with ScriptedEndpoint(Script.model_validate(played)) as endpoint:
        for nth in nths:
            folder = tmp_path / str(nth)
            folder.mkdir()
            victim = kind(folder / "home", folder / "work", endpoint.base_url)
            witness = folder / "hit"
            worker = str(ROOT / "tests/kill/worker.py")
            arguments = (victim.session, str(victim.workspace), str(witness), point, str(nth))
            process = victim.start(worker, *arguments, json.dumps(victim.context))
            _, err = process.communicate(timeout=RESUME_S_MAX)
            if not witness.exists():  # fewer such moments than `nth` in this run
                assert process.returncode == 0, err
                victim.check()
                continue
            assert process.returncode == -signal.SIGKILL
            assert witness.read_text() == point
            hits += 1
            victim.note_kill()
            finish(victim)
    assert hits > 0, f"{point!r} was never hit"


def finish(victim: Victim) -> None:
    process = victim.resume()
    out, err = process.communicate(timeout=RESUME_S_MAX)
    assert process.returncode == 0, f"{err}\n{out}"
    victim.check()
