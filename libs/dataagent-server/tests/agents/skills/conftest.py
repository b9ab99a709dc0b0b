"""The fixtures of `support/installation.py`, and the services of skills on its database."""

from pathlib import Path

import pytest
from installation import Installation, configured_keys, installation, keyring

from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_server.agents.skills.skill_services import SkillServices, make_skill_services

__all__ = ["configured_keys", "installation", "keyring"]


def _make(installation: Installation, folder: Path) -> SkillServices:
    return make_skill_services(
        installation.database, installation.people.audit, folder, WordLlamaEmbedder()
    )


@pytest.fixture
def services(installation: Installation, tmp_path: Path) -> SkillServices:
    return _make(installation, tmp_path / "sets")


@pytest.fixture
def other_process(installation: Installation, tmp_path: Path) -> SkillServices:
    """The same of a second server process: one database and one home, nothing else in common."""
    return _make(installation, tmp_path / "sets")
