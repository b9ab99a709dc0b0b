"""The memory of a server, over the fixtures of `support/installation.py`."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from installation import Installation, configured_keys, installation, keyring

from dataagent_core.models.embeddings import resolve_embedder
from dataagent_server.composition.memory import MemoryServices, open_memory
from dataagent_server.settings import ServerSettings

__all__ = ["configured_keys", "installation", "keyring", "memory"]


@pytest.fixture
async def memory(installation: Installation, tmp_path: Path) -> AsyncGenerator[MemoryServices]:
    """The memory of a server, on the installation's database."""
    settings = ServerSettings.load({"DATAAGENT_HOME": str(tmp_path)}, tmp_path)
    embedder = resolve_embedder(settings)
    async with open_memory(
        settings, installation.database, installation.people, embedder
    ) as services:
        yield services
