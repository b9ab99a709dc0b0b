"""Somebody who has never seen it gets to a chart of their own CSV by following the page alone."""

import csv
import io
import os
import random
import time
from collections import defaultdict

import pytest
from playwright.sync_api import expect

from tests.console.conftest import OpenInstallation, Visit
from tests.console.first_chart import MOMENTS, walk_to_a_chart
from tests.console.looking import check
from tests.console.random_csv import RandomTable, random_table

pytestmark = pytest.mark.slow

TWO_MINUTES_S = 120


def _sums(table: RandomTable) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for row in csv.DictReader(io.StringIO(table.content.decode())):
        sums[row[table.kind_column]] += float(row[table.number_column])
    return sums


@pytest.mark.requirement("F9-first-chart")
def test_a_newcomer_without_a_model_gets_to_a_chart_of_a_random_csv(
    build_installation: OpenInstallation, visit: Visit
):
    given = os.environ.get("DATAAGENT_CSV_SEED")
    seed = int(given) if given else random.SystemRandom().randrange(10**9)
    print(f"DATAAGENT_CSV_SEED={seed}")  # noqa: T201 (shown when it fails)
    table = random_table(seed)
    installation = build_installation("--sample", script=None)
    newcomer = visit(installation, user_id="")
    seen: list[str] = []

    def moment(page: object, name: str) -> None:
        assert page is opened
        check(opened, f"newcomer-{name}")
        seen.append(name)

    opened = newcomer.context.new_page()
    began = time.monotonic()
    chart = walk_to_a_chart(opened, installation.server.sign_in_url, table, moment)
    assert time.monotonic() - began < TWO_MINUTES_S
    assert tuple(seen) == MOMENTS
    expect(chart).to_be_visible()
    # The same chart as a table has the sums of the file.
    opened.get_by_title("Table", exact=True).click()
    shown = opened.get_by_role("table").filter(has_text=table.kinds[0]).last
    text = shown.inner_text().replace(",", "")
    for kind, total in _sums(table).items():
        assert kind in text
        assert str(int(total)) in text, (kind, total, text)
