from collections.abc import Generator

import httpx
import pytest
from streamlit.components.v2 import manifest_scanner

from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.server.fixtures import environment_of
from tests.server.process import BIN, ServerProcess, serving
from tests.streamlit_demo.failing import Playing, playing

KEY = "a-key-of-the-tests-that-nobody-else-has"
SCRIPT = {
    "scripts": [
        {
            "match": "write",
            "steps": [
                {
                    "text": "I write it.",
                    "tool_calls": [
                        {"name": "write_file", "args": {"file_path": "/n.txt", "content": "n\n"}}
                    ],
                },
                {"text": "It is written."},
            ],
        },
        {
            "match": "clarify",
            "steps": [
                {
                    "tool_calls": [
                        {
                            "name": "ask_clarification",
                            "args": {
                                "question_type": "scope",
                                "question": "How fine?",
                                "options": [{"label": "By month"}, {"label": "By day"}],
                                "required": True,
                            },
                        }
                    ]
                },
                {"text": "As you wish."},
            ],
        },
        {"steps": [{"text": "Hello from the **model**."}]},
    ]
}


@pytest.fixture(scope="package", autouse=True)
def no_components() -> Generator[None]:
    """Skip the search for installed components, which costs a second per page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        yield


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    """A real server with a scripted model, on which users may start `sh`."""
    folder = tmp_path_factory.mktemp("streamlit")
    with ScriptedEndpoint(Script.model_validate(SCRIPT)) as endpoint:
        environment = environment_of(folder / "home") | {
            "DATAAGENT_API_KEYS": f'["{KEY}"]',
            "DATAAGENT_MODEL": "openai:scripted",
            "DATAAGENT_RATE_LIMIT_PER_MINUTE": "1000000",
            "DATAAGENT_RATE_LIMIT_BURST": "100000",
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": endpoint.base_url,
        }
        command = (BIN / "dataagent-server", "serve")
        with serving(environment, folder, command=command) as started:
            policy = {"commands": ["sh"]}
            headers = {"X-API-Key": KEY}
            httpx.patch(
                f"{started.url}/api/v1/mcp/policy", json=policy, headers=headers, trust_env=False
            ).raise_for_status()
            yield started


@pytest.fixture(scope="package")
def failing() -> Generator[Playing]:
    with playing() as started:
        yield started
