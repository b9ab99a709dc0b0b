"""Opens every page of the menu, as the page lists it: a new page needs no change here.

The pages below those of the menu are listed here, since each needs content.
"""

import re
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Page, expect

from tests.console.console_server import ConsoleServer
from tests.console.page_checks import check
from tests.console.sample_content import LONG_NAME
from tests.console.visitor import Visitor

_TABLE = "/data/table?source=shop&table=orders&tab="
# Those that exist before anybody has made anything.
DATA_PAGES = (
    "/data/sql",
    "/data/questions",
    "/data/results",
    "/data/metrics",
    "/data/source?source=shop",
    *(_TABLE + tab for tab in ("preview", "chart", "profile", "columns")),
)

_SETTLED = """() => {
  const busy = [...document.querySelectorAll('[aria-busy="true"], [role="status"]')];
  const loading = /^(Loading|加载中)$/;
  // Neither what turns on a button that was pressed, nor what still fades in or out.
  const turning = document.querySelector('[role="img"][aria-label="loading"]');
  const fading = document.getAnimations().some((each) => each.playState === "running"
    && each.effect?.getComputedTiming().endTime !== Infinity);
  if (turning?.checkVisibility() || fading) return false;
  return busy.every((each) => each.checkVisibility() === false
    || (each.getAttribute("aria-busy") !== "true" && !loading.test(each.textContent.trim())));
}"""


def settle(page: Page) -> None:
    """Wait until nothing on the page is loading."""
    expect(page.get_by_role("main")).to_be_visible()
    page.wait_for_function(_SETTLED)
    page.evaluate("() => document.fonts.ready.then(() => undefined)")


def menu_paths(page: Page) -> list[str]:
    """Read the paths of the menu."""
    menu = page.get_by_role("navigation", name=re.compile("Main menu|主菜单"))
    if not menu.is_visible():
        page.get_by_role("button", name=re.compile("Show or hide the menu|显示或隐藏菜单")).click()
    expect(menu).to_be_visible()
    paths = [link.get_attribute("href") or "" for link in menu.get_by_role("link").all()]
    page.keyboard.press("Escape")
    return paths


def sub_pages(console_server: ConsoleServer) -> list[str]:
    """List the pages below the menu's, on a filled server."""

    def first(of: str) -> dict[str, Any]:
        return console_server.ask("GET", f"{of}?limit=1")["items"][0]

    pattern = first("/agent/patterns")["id"]
    subagents = console_server.ask("GET", "/subagents")["items"]
    long_named = next(each["id"] for each in subagents if each["name"] == LONG_NAME)
    return [
        *DATA_PAGES,
        f"/data/sql?question={first('/data/questions')['question_id']}",
        f"/data/results?result={first('/data/results')['result_id']}",
        f"/reports/{first('/reports')['report_id']}",
        "/reports/new",
        "/skills/new",
        "/skills?tier=tenant",
        "/tools/compositions",
        "/tools/compositions/new",
        f"/tools/compositions/{first('/tool-compositions')['id']}",
        f"/tools/compositions/{first('/tool-compositions')['id']}?tab=edit",
        "/subagents/defaults",
        "/subagents/new",
        "/subagents/router",
        "/subagents/code-reviewer?tab=settings",
        f"/subagents/{long_named}",
        "/patterns/new",
        "/patterns/offers?tab=made",
        *(f"/patterns/{pattern}?tab={tab}" for tab in ("flow", "uses", "workflow", "edit")),
        f"/activity/{first('/runs')['run_id']}?view=full",
        f"/chat/{first('/sessions')['session_id']}",
    ]


def walk_every_page(visitor: Visitor, name: str) -> list[str]:
    """Open and check each page of the menu; return all problems."""
    page = visitor.open()
    settle(page)
    paths = menu_paths(page)
    assert paths
    return walk_pages(visitor, page, name, paths)


def walk_pages(visitor: Visitor, page: Page, name: str, paths: Iterable[str]) -> list[str]:
    """Open and check these pages; return all problems."""
    faults: list[str] = []
    for path in paths:
        before = len(visitor.page_errors.unexpected)
        page.goto(visitor.console_server.url + path)
        settle(page)
        expect(page).to_have_title(re.compile(".+ · DataAgent"))
        faults += [f"{path}: {notice}" for notice in error_notices(page)]
        try:
            check(page, f"{name}-{_file_name(path)}")
        except AssertionError as fault:
            faults.append(str(fault))
        faults += visitor.page_errors.unexpected[before:]
    return faults


def error_notices(page: Page) -> list[str]:
    """Read the error notices of the page."""
    # An alert may be a success; only its style tells.
    return page.locator(".ant-alert-error").all_inner_texts()


def _file_name(path: str) -> str:
    """Name a picture after a page, without its changing ids."""
    words = re.sub(r"\b[\w-]*\d[\w-]{7,}\b", "one", path)
    return re.sub(r"\W+", "-", words).strip("-") or "home"
