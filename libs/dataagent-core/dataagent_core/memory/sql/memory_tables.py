"""The tables of memories, and of the index that finds memories, episodes and entities.

A server derives its own tables from them, as from those of `patterns/sql/pattern_tables.py`. The
index is one of our own, the same in every database: words are kept as hashes (`word_hash.py`), so a
text that is removed leaves none of its words behind. `scope_no` is the number of a scope, which is
of one tenant; rows of words and vectors name nobody else.
"""

from typing import Final

from dataagent_core.session.stores.sql.tables import SqlColumn, SqlTable

_ID: Final = SqlColumn("id")
_KIND: Final = SqlColumn("text", 10)
_MOMENT: Final = SqlColumn("moment")
_OPTIONAL_MOMENT: Final = SqlColumn("moment", optional=True)
_TEXT: Final = SqlColumn("any_text")
_NUMBER: Final = SqlColumn("big_integer")
_COUNT: Final = SqlColumn("big_integer", default=0)

MEMORY_SCOPES: Final = SqlTable(
    name="memory_scopes",
    columns={
        "number": SqlColumn("position"),
        "tenant_id": _ID,
        "user_id": _ID,
        "kind": _KIND,
        "assistant_id": _ID,
        "project_id": _ID,
    },
    key=("number",),
    unique=("tenant_id", "user_id", "kind", "assistant_id", "project_id"),
    has_rowid=True,
)
# Of the documents of one kind in a scope: how many there are, with how many words, and two numbers
# that tell a cache what it has missed: `revision` grows with every change, `removals` with every
# vector that is gone.
MEMORY_INDEXES: Final = SqlTable(
    name="memory_indexes",
    columns={
        "scope_no": _NUMBER,
        "kind": _KIND,
        "documents": _COUNT,
        "words": _COUNT,
        "revision": _COUNT,
        "removals": _COUNT,
    },
    key=("scope_no", "kind"),
)
MEMORY_DOCUMENTS: Final = SqlTable(
    name="memory_documents",
    columns={
        "number": SqlColumn("position"),
        "tenant_id": _ID,
        "scope_no": _NUMBER,
        "kind": _KIND,
        "id": _ID,
        # How many words it has, and the hashes of those that are indexed.
        "length": SqlColumn("integer"),
        "words": SqlColumn("bytes"),
        # When it counts, in microseconds since 1970 (`document_span.py`).
        "since_us": _NUMBER,
        "until_us": _NUMBER,
        # The embedder of its vector; empty without one.
        "embedder": SqlColumn("key"),
    },
    key=("number",),
    unique=("tenant_id", "kind", "id"),
    indexes={
        "idx_memory_documents_scope": ("scope_no", "kind"),
        "idx_memory_documents_embedder": ("tenant_id", "kind", "embedder"),
    },
    has_rowid=True,
)
MEMORY_WORDS: Final = SqlTable(
    name="memory_words",
    columns={
        "scope_no": _NUMBER,
        "word": _NUMBER,
        "document": _NUMBER,
        "hits": SqlColumn("integer"),
        # That of the document, so that a search reads nothing else.
        "length": SqlColumn("integer"),
    },
    key=("scope_no", "word", "document"),
)
MEMORY_VECTORS: Final = SqlTable(
    name="memory_vectors",
    columns={
        "document": _NUMBER,
        "scope_no": _NUMBER,
        "kind": _KIND,
        "embedder": SqlColumn("key"),
        "dimensions": SqlColumn("integer"),
        # That of the index at its last change, so that a cache reads what is new alone.
        "revision": _NUMBER,
        # 32-bit floats, the lowest byte first.
        "vector": SqlColumn("bytes"),
    },
    key=("document",),
    indexes={
        "idx_memory_vectors_changed": (
            "scope_no",
            "kind",
            "embedder",
            "dimensions",
            "revision",
            "document",
        ),
    },
    has_rowid=True,
)
MEMORIES: Final = SqlTable(
    name="memories",
    columns={
        "tenant_id": _ID,
        "id": _ID,
        "user_id": _ID,
        "scope_no": _NUMBER,
        "type": SqlColumn("text", 20),
        "content": _TEXT,
        # Of `text_digest.py`.
        "digest": SqlColumn("text", 64),
        "subject": _TEXT,
        "subject_hash": _NUMBER,
        "source_kind": SqlColumn("text", 20),
        "session_id": _ID,
        "run_id": _ID,
        "seq_first": _NUMBER,
        "seq_last": _NUMBER,
        "quote": _TEXT,
        "episode_id": _ID,
        # JSON without escapes for letters, so that a scan for a text finds it: tool, speaker,
        # confidence and what else is said of it.
        "details": _TEXT,
        "is_tainted": SqlColumn("integer", default=0),
        "valid_from": _MOMENT,
        "valid_to": _OPTIONAL_MOMENT,
        "recorded_at": _MOMENT,
        "retired_at": _OPTIONAL_MOMENT,
        "updated_at": _MOMENT,
        "expires_at": _OPTIONAL_MOMENT,
        "replaced_by": _ID,
        "access_count": _COUNT,
        "last_accessed_at": _OPTIONAL_MOMENT,
        "version": _COUNT,
    },
    key=("tenant_id", "id"),
    indexes={
        "idx_memories_user": ("tenant_id", "user_id", "recorded_at", "id"),
        "idx_memories_digest": ("scope_no", "digest"),
        "idx_memories_subject": ("scope_no", "subject_hash"),
        "idx_memories_session": ("scope_no", "session_id", "seq_first"),
        "idx_memories_episode": ("scope_no", "episode_id"),
        "idx_memories_expiry": ("tenant_id", "expires_at"),
    },
    has_rowid=True,
)
INDEX_TABLES: Final = (
    MEMORY_SCOPES,
    MEMORY_INDEXES,
    MEMORY_DOCUMENTS,
    MEMORY_WORDS,
    MEMORY_VECTORS,
)
MEMORY_TABLES: Final = (*INDEX_TABLES, MEMORIES)
