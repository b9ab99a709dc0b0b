"""Settings that know nothing of the machine the tests run on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dataagent_core.config import Settings


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Settings]:
    """Load settings from these variables only; Ollama is looked for where nobody listens."""

    def load_settings(**environment: str) -> Settings:
        base = {"DATAAGENT_HOME": str(tmp_path), "OLLAMA_HOST": "127.0.0.1:9"}
        return Settings.load(base | environment, tmp_path)

    return load_settings
