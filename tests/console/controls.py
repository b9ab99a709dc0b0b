"""Controls that need more than one click."""

import re
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of a drop-down list."""
    # A required field has a star before its name.
    named = re.compile(rf"^(\* )?{re.escape(label)}$")
    page.get_by_role("combobox", name=named).click()
    page.get_by_title(option, exact=True).last.click()


def give_file(page: Page, button: Locator, file: FilePayload | Path) -> None:
    """Press a button that asks for a file or a folder, and choose one."""
    with page.expect_file_chooser() as asked:
        button.click()
    asked.value.set_files(file)


def downloaded(page: Page, link: Locator) -> bytes:
    """Click a download, and return the file."""
    with page.expect_download() as download:
        link.click()
    return download.value.path().read_bytes()
