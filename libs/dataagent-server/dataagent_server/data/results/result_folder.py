"""The folder of one user's results."""

from pathlib import Path

from dataagent_core.config.paths import user_home
from dataagent_core.tools.data.results.stored_result import check_result_id
from dataagent_server.common.ids import TenantId


def results_folder(home: Path, tenant_id: TenantId, user_id: str) -> Path:
    """Return the folder of a user's results."""
    return user_home(home, tenant_id, user_id) / "results"


def result_file(home: Path, tenant_id: TenantId, user_id: str, result_id: str) -> Path:
    """Return the file of a result."""
    folder = results_folder(home, tenant_id, user_id)
    return folder / f"{check_result_id(result_id)}.parquet"
