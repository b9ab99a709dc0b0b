"""Data sources, kept results, semantic models and saved questions.

`project_id` is empty for what belongs to the whole tenant: a key's column cannot be NULL. Addresses
hold passwords and are encrypted with the tenant bound in.
"""

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table

from dataagent_server.db.metadata import metadata
from dataagent_server.db.types import AnyText, Exact, Id, Json, LongText, Moment


def _time_columns() -> tuple[Column[Any], Column[Any]]:
    return Column("created_at", Moment, nullable=False), Column(
        "updated_at", Moment, nullable=False
    )


data_sources = Table(
    "data_sources",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("project_id", Id, primary_key=True),
    Column("name", Id, primary_key=True),
    Column("owner_id", Id, nullable=False),
    Column("kind", Exact(32), nullable=False),
    Column("location", LongText, nullable=False),
    Column("write_url", LongText),
    Column("description", LongText, nullable=False),
    Column("read_only_confirmed", Boolean, nullable=False),
    Column("personal", Json, nullable=False),
    Column("not_personal", Json, nullable=False),
    Column("hidden", Json, nullable=False),
    # How its text files are read, where somebody chose it.
    Column("dates", Exact(16)),
    Column("decimals", Exact(16)),
    Column("encoding", Exact(32)),
    Column("version", Integer, nullable=False),
    *_time_columns(),
)

# The same choice for a data file of a workspace, which is a source by its path.
file_readings = Table(
    "file_readings",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column(
        "workspace_id",
        Id,
        ForeignKey("s_workspace.workspace_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    # A path is too long for a key.
    Column("path_sha256", Exact(64), primary_key=True),
    Column("path", AnyText, nullable=False),
    Column("dates", Exact(16)),
    Column("decimals", Exact(16)),
    Column("encoding", Exact(32)),
    Column("updated_at", Moment, nullable=False),
)

# The rows are in a Parquet file of the person's own folder; its bytes count in the workspace named.
results = Table(
    "results",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("result_id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("workspace_id", Id, nullable=False),
    Column("session_id", Id),
    # Where it was asked: the same name may be another source in another project.
    Column("project_id", Id),
    Column("source", AnyText, nullable=False),
    Column("dialect", Exact(32), nullable=False),
    Column("sql_text", AnyText, nullable=False),
    Column("columns", Json, nullable=False),
    Column("personal", Json, nullable=False),
    # Made for a page that shows it once: it is not listed, and lives for an hour.
    Column("is_look", Boolean),
    # Which tool made it, and the queries of earlier results in it (`results/result_lineage.py` of
    # core).
    Column("lineage", Json, nullable=False),
    Column("row_count", BigInteger, nullable=False),
    Column("truncated", Boolean, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("sha256", Exact(64), nullable=False),
    Column("elapsed_ms", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Index(None, "tenant_id", "user_id", "created_at"),
    Index(None, "tenant_id", "workspace_id"),
    Index(None, "expires_at"),
)

semantic_models = Table(
    "semantic_models",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("project_id", Id, primary_key=True),
    Column("owner_id", Id, nullable=False),
    Column("text", LongText, nullable=False),
    Column("version", Integer, nullable=False),
    *_time_columns(),
)

# Without a project it is its owner's alone; its key needs none, so that NULL can say it.
saved_questions = Table(
    "saved_questions",
    metadata,
    Column("tenant_id", Id, primary_key=True),
    Column("question_id", Id, primary_key=True),
    Column("project_id", Id),
    Column("owner_id", Id, nullable=False),
    Column("name", Exact(256), nullable=False),
    Column("source", AnyText, nullable=False),
    Column("sql_text", AnyText, nullable=False),
    Column("chart", Json),
    Column("version", Integer, nullable=False),
    *_time_columns(),
    Index(None, "tenant_id", "project_id", "created_at"),
    Index(None, "tenant_id", "owner_id", "created_at"),
)
