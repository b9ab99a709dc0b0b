"""Playing a step's failures: the first tries fail as the script says, then the step succeeds.

The one memory a scripted model has, since "the third try succeeds" cannot be read off a request.
Shared by the threads of the testing endpoint, hence the lock; bounded, oldest forgotten first.
"""

import threading
from collections import OrderedDict

from dataagent_core.config.limits import SCRIPT_ATTEMPTS_KEPT_MAX
from dataagent_core.models.scripted.failure_shapes import shape_of
from dataagent_core.models.scripted.script import ScriptedFailure
from dataagent_core.models.scripted.script_turn import ChosenStep


class ScriptedAttempts:
    """Counts the tries of each step."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tries: OrderedDict[str, int] = OrderedDict()

    def next_failure(self, chosen: ChosenStep) -> ScriptedFailure | None:
        """Return how this try fails, or nothing when it succeeds."""
        failures = chosen.step.failures
        if not failures:
            return None
        with self._lock:
            tries = self._tries.pop(chosen.name, 0)
            self._tries[chosen.name] = tries + 1
            while len(self._tries) > SCRIPT_ATTEMPTS_KEPT_MAX:
                self._tries.popitem(last=False)
        return failures[tries] if tries < len(failures) else None


class ScriptedHTTPError(Exception):
    """What a provider's SDK would raise for an HTTP status; has the same attributes."""

    def __init__(self, failure: ScriptedFailure) -> None:
        shape = shape_of(failure, "openai")
        super().__init__(shape.message)
        self.status_code = shape.status
        self.code = shape.code
        self.headers: dict[str, str] = {}
        if failure.retry_after_s is not None:
            self.headers["retry-after"] = f"{failure.retry_after_s:g}"


class ScriptedDisconnectError(ConnectionError):
    """The answer broke off halfway."""
