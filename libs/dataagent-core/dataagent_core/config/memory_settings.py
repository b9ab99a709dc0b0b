"""Settings of memory: its search, what a run is told of it, and the knowledge graph (S2 §11)."""

from typing import Literal

from pydantic import Field, SecretStr

from dataagent_core.config.limits.memory import (
    COMMUNITY_MIN_SIZE,
    COMMUNITY_RESOLUTION,
    ENTITY_DEDUPE_THRESHOLD,
    GRAPH_WEIGHT,
    KEYWORD_WEIGHT,
    MEMORY_RECALL_SCORE,
    MEMORY_RECALL_TOKENS,
    MEMORY_RECALL_TOKENS_MAX,
    MEMORY_TOP_K,
    MEMORY_TOP_K_MAX,
    RRF_K,
    VECTOR_WEIGHT,
)
from dataagent_core.config.resolve.layered_settings import LayeredSettings


def _weight(default: float, leg: str) -> float:
    return Field(
        default=default, ge=0, le=1, allow_inf_nan=False, description=f"How much {leg} counts"
    )


class MemorySearchSettings(LayeredSettings):
    """How memories are found, and which of them a run is told without asking."""

    memory_top_k: int = Field(
        default=MEMORY_TOP_K,
        ge=1,
        le=MEMORY_TOP_K_MAX,
        description="Memories that a search returns unless it names another number",
    )
    vector_weight: float = _weight(VECTOR_WEIGHT, "the meaning of a memory in a search")
    keyword_weight: float = _weight(KEYWORD_WEIGHT, "the words of a memory in a search")
    graph_weight: float = _weight(GRAPH_WEIGHT, "what the graph joins with a query in a search")
    memory_fusion: Literal["score", "rrf"] = Field(
        default="score",
        description="How the legs of a search are joined: by score, or by reciprocal rank (rrf), "
        "which finds less where one leg is weak",
    )
    rrf_k: int = Field(
        default=RRF_K, ge=1, le=10_000, description="The constant k of reciprocal rank fusion"
    )
    memory_learning: bool = Field(
        default=True, description="Whether runs remember what people say of themselves"
    )
    memory_recall: bool = Field(
        default=True, description="Whether a run is told the memories that fit its message"
    )
    memory_recall_score: float = Field(
        default=MEMORY_RECALL_SCORE,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Score from which a memory fits a message",
    )
    memory_recall_tokens: int = Field(
        default=MEMORY_RECALL_TOKENS,
        ge=0,
        le=MEMORY_RECALL_TOKENS_MAX,
        description="Tokens that recalled memories may take in a prompt",
    )


class GraphSettings(LayeredSettings):
    """How the knowledge graph is made and where it is kept."""

    entity_extraction_model: str = Field(
        default="",
        description="Model that reads entities from conversations, as provider:name; when empty, "
        "rules read names, dates, numbers and statements, and no model is called",
    )
    enable_reflexion: bool = Field(
        default=True,
        description="Whether that model is asked a second time for what it missed, within its "
        "budget",
    )
    entity_dedupe_threshold: float = Field(
        default=ENTITY_DEDUPE_THRESHOLD,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Likeness from which two entities are one",
    )
    community_min_size: int = Field(
        default=COMMUNITY_MIN_SIZE, ge=1, description="Entities that a community has at least"
    )
    community_resolution: float = Field(
        default=COMMUNITY_RESOLUTION,
        gt=0,
        allow_inf_nan=False,
        description="How small communities are: more than 1 makes more and smaller ones",
    )
    use_native_graph_adapter: bool = Field(
        default=True,
        description="Whether a knowledge graph is made, which DataAgent's own adapter does",
    )
    neo4j_uri: str | None = Field(
        default=None,
        pattern=r"^(bolt|neo4j)(\+s|\+ssc)?://[^/\s?#:]",
        description="Neo4j, for the knowledge graph; it is kept in the database when unset",
    )
    neo4j_user: str = Field(default="neo4j", description="Name to sign in to Neo4j with")
    neo4j_password: SecretStr | None = Field(
        default=None, description="Password to sign in to Neo4j with"
    )


class MemorySettings(MemorySearchSettings, GraphSettings):
    """All settings of memory."""
