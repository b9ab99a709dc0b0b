"""What the walks rely on really sees what it must see."""

import pytest
from playwright.sync_api import Browser, Page

from tests.console.looking import axe, sideways
from tests.console.random_csv import random_table
from tests.console.watching import Watch

_CSP = "default-src 'none'; script-src 'nonce-x'; style-src 'nonce-x'"


def _page(browser: Browser, watch: Watch, body: str) -> Page:
    context = browser.new_context()
    watch.over(context)
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
    watch = Watch()
    page = _page(browser, watch, body)
    page.wait_for_function("() => document.readyState === 'complete'")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert any(said in complaint for complaint in watch.unexpected), watch.complaints
    watch.expect(".")
    assert watch.unexpected == []
    page.context.close()


def test_what_axe_finds_is_told_and_a_page_that_is_too_wide_is_seen(browser: Browser):
    watch = Watch()
    page = _page(browser, watch, f"<button></button><img src=x><pre>{'wide ' * 900}</pre>")
    watch.expect("img-src|image")
    found = "\n".join(axe(page))
    assert "critical button-name" in found
    assert "critical image-alt" in found
    assert sideways(page) > 0
    fine = _page(browser, watch, "<button>Go</button>")
    assert axe(fine) == []
    assert sideways(fine) <= 0
    assert watch.unexpected == []
    page.context.close()
    fine.context.close()


def test_a_random_table_is_the_same_for_the_same_seed_and_has_every_kind():
    table = random_table(7)
    assert random_table(7) == table != random_table(8)
    lines = table.content.decode().splitlines()
    assert lines[0] == f"day,{table.kind_column},{table.number_column}"
    assert len(lines) == table.rows + 1
    assert {line.split(",")[1] for line in lines[1:]} == set(table.kinds)
