from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from drawn_results import results_in

from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.results import FolderResultStore


@pytest.fixture
def results(tmp_path: Path) -> FolderResultStore:
    return results_in(tmp_path)


@pytest.fixture
async def renderer() -> AsyncIterator[Renderer]:
    opened = Renderer(workers_max=1)
    yield opened
    await opened.aclose()
