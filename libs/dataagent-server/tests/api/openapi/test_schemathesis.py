"""Schemathesis asks the real server what its OpenAPI document promises, rightly and wrongly.

It must find no 5xx, no status and no body the document does not name. Requests that wait for a
model are answered by the demo; rate limits are off, because thousands of requests are the point.
"""

from collections.abc import Generator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import checks
from schemathesis.core.result import Ok

from tests.counts import rounds
from tests.server.fixtures import environment_of
from tests.server.process import ServerProcess, serving

pytestmark = pytest.mark.slow

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
# Failing requests are plain as they are; making them smaller takes most of the time.
QUIET = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
)
# A zip is sent as the bytes it is drawn as.
schemathesis.serializer.alias("application/zip", "application/octet-stream")
Operation = schemathesis.APIOperation[Any, Any, Any, Any]
REQUEST_S_MAX = 30


@pytest.fixture(scope="module")
def fuzzed_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    folder = tmp_path_factory.mktemp("fuzzed")
    environment = environment_of(folder / "home") | {
        "DATAAGENT_RATE_LIMIT_PER_MINUTE": "0",
        "DATAAGENT_LOG_LEVEL": "warning",
    }
    with serving(environment, folder) as server:
        yield server


@pytest.fixture(scope="module")
def asker(fuzzed_server: ServerProcess) -> Generator[requests.Session]:
    with requests.Session() as session:
        session.trust_env = False
        session.headers["X-API-Key"] = fuzzed_server.first_key
        yield session


@pytest.fixture(scope="module")
def promised(fuzzed_server: ServerProcess) -> list[Operation]:
    document = fuzzed_server.get("/api/v1/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=fuzzed_server.url)
    # One good key is sent with every request; made-up ones beside it would only be 401s.
    schema.config.generation.with_security_parameters = False
    # A stream is endless on purpose, and metrics are no JSON (S0 property 24).
    asked = schema.exclude(path_regex="stream$|/agent/chat$|^/metrics$")
    found = list(asked.get_all_operations())
    assert all(isinstance(operation, Ok) for operation in found)
    return [operation.ok() for operation in found if isinstance(operation, Ok)]


def broken_promises(
    operations: list[Operation], asker: requests.Session, examples: int
) -> list[str]:
    """Ask every operation, rightly and wrongly; say which ones did not answer as documented."""
    broken: list[str] = []
    for operation in operations:
        for mode in schemathesis.GenerationMode:

            @settings(QUIET, max_examples=examples)
            @given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: schemathesis.Case[Any]) -> None:
                case.call_and_validate(session=asker, checks=CHECKS, timeout=REQUEST_S_MAX)

            try:
                ask()
            except Unsatisfiable:  # nothing can be wrong with a request that takes nothing
                continue
            except (Exception, BaseExceptionGroup) as failure:  # noqa: BLE001 (all are told)
                broken.append(f"{operation.label}: {failure}")
    return broken


@pytest.mark.requirement("F4-4")
@pytest.mark.requirement("F4-any-input")
@pytest.mark.timeout(7_200)
def test_every_route_answers_anything_as_documented(
    promised: list[Operation], asker: requests.Session
) -> None:
    broken = broken_promises(promised, asker, examples=rounds(15, soak=300))
    assert not broken, "\n\n".join(broken)


@pytest.mark.requirement("F4-any-input")
def test_the_fuzzed_server_is_well_afterwards(fuzzed_server: ServerProcess) -> None:
    assert fuzzed_server.get("/api/v1/ready").status_code == 200
    assert '"level": "error"' not in fuzzed_server.log.read_text()
