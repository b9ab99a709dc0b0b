"""The checks of the console tests detect what they must detect."""

import pytest
from playwright.sync_api import Browser, Page

from tests.console.page_checks import axe, double_stops, sideways
from tests.console.page_errors import PageErrors
from tests.console.random_csv import random_table

_CSP = "default-src 'none'; script-src 'nonce-x'; style-src 'nonce-x'"


def _page(browser: Browser, page_errors: PageErrors, body: str) -> Page:
    context = browser.new_context()
    page_errors.observe(context)
    page = context.new_page()
    page.route(
        "**/*",
        lambda route: route.fulfill(
            body=f"<!doctype html><html lang=en><title>t</title><main>{body}</main>",
            headers={"content-type": "text/html", "content-security-policy": _CSP},
        ),
    )
    page.goto("http://console.test/")
    return page


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<script nonce=x>throw new Error('broken')</script>", "thrown: Error: broken"),
        ("<script nonce=x>Promise.reject(new Error('left'))</script>", "thrown: Error: left"),
        ("<script nonce=x>console.error('complaint')</script>", "console: complaint"),
        ("<script>1</script>", "CSP script-src"),
        ("<p style='color: red'>", "CSP style-src"),
    ],
)
def test_a_page_that_complains_is_heard(browser: Browser, body: str, said: str):
    page_errors = PageErrors()
    page = _page(browser, page_errors, body)
    page.wait_for_function("() => document.readyState === 'complete'")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert any(said in complaint for complaint in page_errors.unexpected), page_errors.complaints
    page_errors.expect(".")
    assert page_errors.unexpected == []
    page.context.close()


def test_what_axe_finds_is_told_and_a_page_that_is_too_wide_is_seen(browser: Browser):
    page_errors = PageErrors()
    page = _page(browser, page_errors, f"<button></button><img src=x><pre>{'wide ' * 900}</pre>")
    page_errors.expect("img-src|image")
    found = "\n".join(axe(page))
    assert "critical button-name" in found
    assert "critical image-alt" in found
    assert sideways(page) > 0
    fine = _page(browser, page_errors, "<button>Go</button>")
    assert axe(fine) == []
    assert sideways(fine) <= 0
    assert page_errors.unexpected == []
    page.context.close()
    fine.context.close()


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<a href=/a><button>inner</button></a>", ["inner"]),
        ("<div role=radiogroup tabindex=0><input type=radio></div>", ['<input type="radio">']),
        ("<ul role=menu tabindex=0><li><a href=/a>one</a><a href=/b>two</a></ul>", ["one", "two"]),
        ("<ul><li><a href=/a>name</a> <a href=/a>open</a></ul>", ["open"]),
        ("<ul><li><a href=/a>name</a><li><a href=/a>open</a></ul>", []),
        ("<div role=group tabindex=0><a href=/a>scrolled</a></div>", []),
        ("<a href=/a><button tabindex=-1>inner</button></a>", []),
    ],
)
def test_an_action_with_two_tab_stops_is_found(browser: Browser, body: str, found: list[str]):
    page = _page(browser, PageErrors(), body)
    assert double_stops(page) == found
    page.context.close()


def test_a_random_table_is_the_same_for_the_same_seed_and_has_every_kind():
    table = random_table(7)
    assert random_table(7) == table != random_table(8)
    lines = table.content.decode().splitlines()
    assert lines[0] == f"day,{table.kind_column},{table.number_column}"
    assert len(lines) == table.rows + 1
    assert {line.split(",")[1] for line in lines[1:]} == set(table.kinds)
