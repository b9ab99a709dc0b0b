"""Somebody who may only look meets no refusal on any page: nothing is asked that they may not have."""

import pytest

from tests.console.conftest import Visit
from tests.console.every_page import DATA_PAGES, walk_every_page, walk_pages
from tests.console.installation import Installation

pytestmark = pytest.mark.slow


@pytest.mark.timeout(300)
@pytest.mark.requirement("F9-6-viewer")
def test_a_viewer_is_refused_nothing_on_any_page(furnished: Installation, visit: Visit):
    visitor = visit(user_id=furnished.add_person("watcher", "viewer"))
    faults = walk_every_page(visitor, "viewer")
    faults += walk_pages(visitor, visitor.open(), "viewer", DATA_PAGES)
    assert not faults, "\n\n".join(faults)
