"""The settings of memory, with S2's names and numbers, reach what they are for."""

from pathlib import Path

import pytest

from dataagent_core.config import Settings
from dataagent_core.engine.assembly.local_memory import read_graph_terms, read_search_terms
from dataagent_core.memory.graph.graph_terms import GraphTerms
from dataagent_core.memory.search_terms import SearchTerms


@pytest.mark.requirement("S2-11.6")
def test_the_terms_of_graph_and_search_are_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    defaults = Settings(home=tmp_path)
    assert defaults.use_native_graph_adapter
    assert not defaults.entity_extraction_model
    assert read_graph_terms(defaults) == GraphTerms(
        enable_reflexion=True,
        entity_dedupe_threshold=0.85,
        community_min_size=3,
        community_resolution=1.0,
    )
    assert read_search_terms(defaults) == SearchTerms(
        top_k=10,
        vector_weight=0.4,
        keyword_weight=0.3,
        graph_weight=0.3,
        rrf_k=60,
        fusion="score",
    )
    changed = {
        "ENABLE_REFLEXION": "false",
        "ENTITY_DEDUPE_THRESHOLD": "0.9",
        "COMMUNITY_MIN_SIZE": "5",
        "COMMUNITY_RESOLUTION": "2",
        "VECTOR_WEIGHT": "0.2",
        "KEYWORD_WEIGHT": "0.7",
        "GRAPH_WEIGHT": "0.1",
        "RRF_K": "30",
        "MEMORY_TOP_K": "4",
        "MEMORY_FUSION": "rrf",
    }
    for name, value in changed.items():
        monkeypatch.setenv(f"DATAAGENT_{name}", value)
    settings = Settings(home=tmp_path)
    assert read_graph_terms(settings) == GraphTerms(
        enable_reflexion=False,
        entity_dedupe_threshold=0.9,
        community_min_size=5,
        community_resolution=2.0,
    )
    assert read_search_terms(settings) == SearchTerms(
        top_k=4,
        vector_weight=0.2,
        keyword_weight=0.7,
        graph_weight=0.1,
        rrf_k=30,
        fusion="rrf",
    )
