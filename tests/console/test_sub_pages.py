"""The pages below those of the menu: axe, nothing cut off, nobody complains."""

import pytest

from tests.console.conftest import Visit
from tests.console.every_page import sub_pages, walk_pages
from tests.console.installation import Installation
from tests.console.visitor import PHONE

pytestmark = pytest.mark.slow


@pytest.mark.timeout(300)
@pytest.mark.requirement("F9-7-axe")
@pytest.mark.requirement("F9-7-sub-pages")
def test_every_sub_page_stands_a_close_look_on_a_wide_screen(furnished: Installation, visit: Visit):
    visitor = visit()
    faults = walk_pages(visitor, visitor.open(), "sub-wide-en-light", sub_pages(furnished))
    assert not faults, "\n\n".join(faults)


@pytest.mark.timeout(300)
@pytest.mark.requirement("F9-7-phone")
@pytest.mark.requirement("F9-7-sub-pages")
def test_every_sub_page_stands_a_close_look_on_a_phone_in_chinese_in_the_dark(
    furnished: Installation, visit: Visit
):
    visitor = visit(language="zh", theme="dark", viewport=PHONE)
    faults = walk_pages(visitor, visitor.open(), "sub-phone-zh-dark", sub_pages(furnished))
    assert not faults, "\n\n".join(faults)
