"""Screenshots of a page, and checks of its accessibility."""

import os
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

ROOT = Path(__file__).parents[2]
_AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
_RULES = ["wcag2a", "wcag2aa", "wcag21aa"]
_GRAVE = ("serious", "critical")
_RUN = """(rules) => axe.run(document, {
  runOnly: { type: "tag", values: rules }, resultTypes: ["violations"]
}).then(({ violations }) => violations.map(({ id, impact, help, nodes }) => ({
  id, impact, help,
  nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)}\\n      ${failureSummary}`),
})))"""

_HAS_COLOURS = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 0) colours.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
    if (colours.size > 8) return true;
  }
  return false;
}"""

# A region that scrolls, or a tab's panel, is not a control: it may contain some.
_DOUBLE_STOPS = """() => {
  const stops = [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]"
  )].filter((each) => each.tabIndex >= 0 && !each.disabled
    && each.checkVisibility({ visibilityProperty: true }));
  const controls = stops.filter((each) => !each.matches("[role=group], [role=log], [role=tabpanel]"));
  const isInner = (inner) => controls.some((each) => each !== inner && each.contains(inner));
  const isSecond = (link, at) => link.href && stops.slice(0, at).some((each) =>
    each.href === link.href && each.closest("li, tr")?.contains(link));
  return stops.filter((each, at) => isInner(each) || isSecond(each, at))
    .map((each) => each.textContent || each.outerHTML.slice(0, 200));
}"""


def shot(page: Page, name: str) -> Path:
    """Save a screenshot."""
    folder = Path(os.environ.get("DATAAGENT_SCREENSHOTS", ROOT / ".run" / "console"))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.png"
    page.screenshot(path=file, animations="disabled", caret="hide")
    return file


def axe(page: Page) -> list[str]:
    """Return serious and critical violations as text."""
    _inject(page)
    found: list[dict[str, Any]] = page.evaluate(_RUN, _RULES)
    return [
        f"{each['impact']} {each['id']}: {each['help']}\n   " + "\n   ".join(each["nodes"][:5])
        for each in found
        if each["impact"] in _GRAVE
    ]


def sideways(page: Page) -> int:
    """Return by how many pixels the page scrolls sideways."""
    return page.evaluate(
        """() => Math.max(...[document.documentElement, document.querySelector("#content")]
             .filter(Boolean).map((part) => part.scrollWidth - part.clientWidth))"""
    )


def wait_until_drawn(chart: Locator) -> None:
    """Wait until a chart's canvas has more than one colour."""
    expect(chart.locator("canvas")).to_be_visible()
    chart.page.wait_for_function(_HAS_COLOURS, arg=chart.locator("canvas").element_handle())


def double_stops(page: Page) -> list[str]:
    """List actions with two tab stops: nested controls, a second link of an entry."""
    return page.evaluate(_DOUBLE_STOPS)


def check(page: Page, name: str) -> None:
    """Check a page: screenshot, axe, one tab stop per action, no sideways scrolling."""
    shot(page, name)
    assert not (twice := double_stops(page)), f"{name} ({page.url}): {twice}"
    found = axe(page)
    assert not found, f"{name} ({page.url}):\n" + "\n".join(found)
    wide = sideways(page)
    assert wide <= 0, f"{name} ({page.url}) is {wide} px too wide"


def _inject(page: Page) -> None:
    if page.evaluate("() => typeof axe === 'undefined'"):
        # Bypasses the page's CSP, which stays in force for the page itself.
        session = page.context.new_cdp_session(page)
        session.send("Runtime.evaluate", {"expression": _axe_source()})
        session.detach()


@cache
def _axe_source() -> str:
    return _AXE.read_text(encoding="utf-8")


_BROKEN = """() => {
  const own = "code, pre, kbd, table, textarea, svg, .code-block, .visually-hidden";
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const around = text.parentElement;
    if (!around?.checkVisibility() || around.closest(own)) continue;
    for (const { 0: word, index } of text.data.matchAll(/[a-z]{2,}/gi)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(lines.map(({ top }) => Math.round(top))).size < 2) continue;
      let line = around;
      while (getComputedStyle(line).display.startsWith("inline")) line = line.parentElement;
      const needed = lines.reduce((sum, { width }) => sum + width, 0);
      if (needed <= line.clientWidth) broken.push(`${word} in "${text.data.trim().slice(0, 60)}"`);
    }
  }
  return broken;
}"""


def broken_words(page: Page) -> list[str]:
    """List words that are broken though they fit a line, except ids, paths, code and tables."""
    return page.evaluate(_BROKEN)
