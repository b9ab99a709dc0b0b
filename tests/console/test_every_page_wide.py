"""Every page of the menu on a wide screen: axe, nothing cut off, nobody complains."""

from typing import Literal

import pytest

from tests.console.conftest import Visit
from tests.console.every_page import walk_every_page
from tests.console.installation import Installation
from tests.console.visitor import WIDE

pytestmark = pytest.mark.slow

Language = Literal["en", "zh"]
Theme = Literal["light", "dark"]


@pytest.mark.timeout(300)
@pytest.mark.requirement("F9-7-axe")
@pytest.mark.parametrize(
    ("language", "theme"),
    [
        ("en", "light"),
        ("zh", "dark"),
        pytest.param("en", "dark"),
        pytest.param("zh", "light"),
    ],
)
def test_every_page_with_work_in_it_stands_a_close_look(
    furnished: Installation, visit: Visit, language: Language, theme: Theme
):
    visitor = visit(furnished, language=language, theme=theme, viewport=WIDE)
    faults = walk_every_page(visitor, f"wide-{language}-{theme}")
    assert not faults, "\n\n".join(faults)
