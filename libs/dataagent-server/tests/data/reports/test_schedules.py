"""Reports by the clock: leases, rights at the time, what is missed, and who is told."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from shop_server import Asker, Shop, shop_at
from sqlalchemy import select, update

from dataagent_core.sandbox.network.addresses import Address, parse_address
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_transport import resolve_by_system
from dataagent_server.data.reports.scheduler import ReportScheduler
from dataagent_server.db.tables.reports import report_runs, report_schedules
from dataagent_server.identity.audit import audit_rows
from tests.server.fixtures import MakeSettings
from tests.services.tcp_server import tcp_server

pytestmark = pytest.mark.every_database

REPORT = "title: Short\nblocks: [{type: heading, text: One}]\n"
SECRET = "0123456789abcdef0123456789abcdef"


async def scheduled(asker: Asker, **more: Any) -> tuple[str, str]:
    made = await asker.fetch("POST", "/reports", {"definition": REPORT})
    place = f"/reports/{made['report_id']}/schedules"
    body = {"cron": "0 8 * * *", "time_zone": "Asia/Shanghai", "formats": ["md"], **more}
    schedule = await asker.fetch("POST", place, body)
    return f"{place}/{schedule['schedule_id']}", made["report_id"]


async def make_due(shop: Shop, late: timedelta = timedelta(0)) -> None:
    moment = datetime.now(UTC) - late - timedelta(seconds=1)
    await shop.live.services.database.write(
        lambda c: c.execute(update(report_schedules).values(next_at=moment))
    )


def clockwork(shop: Shop) -> ReportScheduler:
    """Make another server's clockwork over the same database."""
    own = shop.live.services.reports.clockwork
    return ReportScheduler(own.runner, own.schedules, own.audit, own.spent)


async def runs(shop: Shop) -> int:
    rows = await shop.live.services.database.read(
        lambda c: c.execute(select(report_runs.c.run_id)).all()
    )
    return len(rows)


async def tick(shop: Shop) -> None:
    one = clockwork(shop)
    await one.run_due()
    await one.wait_until_idle()


@pytest.fixture
async def ann(shop: Shop) -> Asker:
    return await shop.asker("ann")


async def test_a_schedule_is_made_changed_shown_and_deleted(shop: Shop, ann: Asker):
    place, report = await scheduled(ann)
    shown = await ann.fetch("GET", place)
    assert shown["next_at"].endswith("T00:00:00Z")
    assert (shown["is_active"], shown["webhook_host"]) == (True, None)
    hook = {"url": "https://hooks.example/secret-path", "secret": SECRET}
    changed = await ann.fetch("PATCH", place, {"cron": "0 9 * * 1", "webhook": hook, "version": 1})
    assert (changed["cron"], changed["webhook_host"]) == ("0 9 * * 1", "hooks.example")
    assert "secret-path" not in json.dumps(changed)
    rows = await shop.live.services.database.read(
        lambda c: c.execute(select(report_schedules)).all()
    )
    assert SECRET not in repr(rows)
    assert (await ann.ask("PATCH", place, {"version": 1})).status_code == 409
    assert (await ann.fetch("PATCH", place, {"webhook": None}))["webhook_host"] is None
    listed = await ann.fetch("GET", f"/reports/{report}/schedules")
    assert len(listed["items"]) == 1
    for wrong in (
        {"cron": "* * * * *"}, {"cron": "never"}, {"time_zone": "Nowhere/None"},
        {"parameters": {"unknown": 1}}, {"webhook": {**hook, "url": "http://hooks.example"}},
        {"webhook": {**hook, "url": "https://hooks.example:22"}},
        {"webhook": {**hook, "secret": "short"}},
    ):  # fmt: skip
        assert (await ann.ask("PATCH", place, wrong)).status_code == 422, wrong
    await ann.fetch("DELETE", place)
    assert (await ann.ask("GET", place)).status_code == 404


@pytest.mark.requirement("F5-6")
async def test_of_several_servers_one_runs_what_is_due(shop: Shop, ann: Asker):
    place, report = await scheduled(ann)
    await make_due(shop)
    several = [clockwork(shop) for _ in range(4)]
    await asyncio.gather(*(one.run_due() for one in several))
    await asyncio.gather(*(one.wait_until_idle() for one in several))
    await tick(shop)
    await shop.live.services.reports.clockwork.wait_until_idle()
    assert await runs(shop) == 1
    shown = await ann.fetch("GET", place)
    assert (shown["last_status"], shown["last_error"]) == ("done", None)
    assert datetime.fromisoformat(shown["next_at"]) > datetime.now(UTC)
    run = await ann.fetch("GET", f"/reports/{report}/runs/{shown['last_run_id']}")
    assert (run["status"], run["schedule_id"]) == ("done", shown["schedule_id"])


async def test_a_run_missed_by_hours_is_made_up_for_and_by_days_is_left_out(shop: Shop, ann: Asker):
    place, _ = await scheduled(ann)
    await make_due(shop, timedelta(hours=5))
    await tick(shop)
    await shop.live.services.reports.clockwork.wait_until_idle()
    assert await runs(shop) == 1
    await make_due(shop, timedelta(days=2))
    await tick(shop)
    await shop.live.services.reports.clockwork.wait_until_idle()
    assert await runs(shop) == 1
    shown = await ann.fetch("GET", place)
    assert shown["last_status"] == "missed"
    assert "missed" in shown["last_error"]
    assert datetime.fromisoformat(shown["next_at"]) > datetime.now(UTC)


async def test_a_lease_that_ran_out_is_taken_over_but_not_for_ever(shop: Shop, ann: Asker):
    place, _ = await scheduled(ann)
    held = {"lease_token": "dead", "lease_until": datetime.now(UTC) + timedelta(hours=1)}
    database = shop.live.services.database
    await database.write(lambda c: c.execute(update(report_schedules).values(**held)))
    await make_due(shop)
    await tick(shop)
    assert await runs(shop) == 0
    held["lease_until"] = datetime.now(UTC) - timedelta(seconds=1)
    await database.write(lambda c: c.execute(update(report_schedules).values(**held, attempt=3)))
    await tick(shop)
    await shop.live.services.reports.clockwork.wait_until_idle()
    assert await runs(shop) == 0
    shown = await ann.fetch("GET", place)
    assert (shown["last_status"], shown["is_active"]) == ("failed", True)
    assert "Given up" in shown["last_error"]


@pytest.mark.parametrize("how", ["removed", "viewer"])
async def test_a_schedule_stops_when_its_owner_may_no_longer(shop: Shop, ann: Asker, how: str):
    bob = await shop.colleague(ann, "bob")
    place, _ = await scheduled(bob)
    member = f"/members/{bob.caller.who.user_id}"
    if how == "removed":
        await ann.fetch("DELETE", member)
    else:
        await ann.fetch("PATCH", member, {"role": "viewer"})
    await make_due(shop)
    await tick(shop)
    await shop.live.services.reports.clockwork.wait_until_idle()
    assert await runs(shop) == 0
    shown = await ann.fetch("GET", place)
    assert shown["is_active"] is False
    assert "owner" in shown["stopped_because"]
    chain = await shop.live.services.database.read(
        lambda c: audit_rows.page_of(c, ann.caller.who.tenant_id, 0, 1_000, None)
    )
    assert any(row.action == "schedule.run" and "owner" in row.detail for row in chain)


async def test_a_person_has_so_many_schedules_and_no_more(
    shop: Shop, ann: Asker, monkeypatch: pytest.MonkeyPatch
):
    from dataagent_server.data.reports import schedule_service

    monkeypatch.setattr(schedule_service, "SCHEDULES_PER_PERSON_MAX", 1)
    place, _ = await scheduled(ann)
    folder = place.rpartition("/")[0]
    refused = await ann.ask("POST", folder, {"cron": "0 8 * * *"})
    assert (refused.status_code, refused.json()["error_code"]) == (429, "LIMIT_REACHED")


@asynccontextmanager
async def receiver(
    answers: list[int],
) -> AsyncGenerator[tuple[int, list[tuple[dict[str, str], bytes]]]]:
    """Listen for webhooks; answer with these statuses, then with 200."""
    got: list[tuple[dict[str, str], bytes]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.splitlines()[1:] if line)
        }
        body = await reader.readexactly(int(headers["content-length"]))
        got.append((headers, body))
        status = answers.pop(0) if answers else 200
        writer.write(
            f"HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
        )
        await writer.drain()

    async with tcp_server(serve) as port:
        yield port, got


@pytest.mark.parametrize(
    ("answers", "calls", "told"),
    [([], 1, "delivered: 200"), ([503], 2, "delivered: 200"), ([400], 1, "answered 400"),
     ([500] * 5, 3, "answered 500")],
)  # fmt: skip
async def test_a_webhook_is_signed_tried_again_and_given_up(
    make_settings: MakeSettings, tmp_path: Path, answers: list[int], calls: int, told: str
):
    async with receiver(list(answers)) as (port, got):
        vouched = [f"127.0.0.1:{port}"]
        async with shop_at(make_settings, tmp_path / "shop", vouched) as shop:
            own = shop.live.services.reports.clockwork
            object.__setattr__(own.schedules.webhooks, "pause_s", 0.01)
            ann = await shop.asker("ann")
            hook = {"url": f"http://127.0.0.1:{port}/done", "secret": SECRET}
            place, report = await scheduled(ann, webhook=hook)
            await make_due(shop)
            await tick(shop)
            await own.wait_until_idle()
            shown = await ann.fetch("GET", place)
    assert told in shown["last_webhook"]
    assert len(got) == calls
    headers, body = got[0]
    signed = headers["x-dataagent-timestamp"].encode() + b"." + body
    wanted = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["x-dataagent-signature"] == f"sha256={wanted}"
    message = json.loads(body)
    assert (message["event"], message["report_id"]) == ("report.done", report)


async def test_a_webhook_does_not_reach_into_the_operators_network(shop: Shop, ann: Asker):
    hook = {"url": "https://hooks.example/done", "secret": SECRET}
    own = shop.live.services.reports.clockwork
    object.__setattr__(own.schedules.webhooks, "pause_s", 0.01)

    async def leads_home(_host: str, _port: int) -> list[Address]:
        return [parse_address("127.0.0.1")]

    place, _ = await scheduled(ann, webhook=hook)
    # The name leads elsewhere by the time it is told.
    client = WebClient(own.schedules.webhooks.policy, resolver=leads_home)
    object.__setattr__(own.schedules.webhooks, "client", client)
    await make_due(shop)
    await tick(shop)
    await own.wait_until_idle()
    shown = await ann.fetch("GET", place)
    assert (shown["last_status"], "is not reached" in shown["last_webhook"]) == ("done", True)


INNER = [
    "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:10.0.0.1]",
    "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "[fd00:ec2::254]", "[64:ff9b::7f00:1]", "224.0.0.1", "inner.example", "mixed.example",
    # Names that lead nowhere today.
    "nowhere.localhost", "a.nowhere.LOCAL.", "nowhere.internal", "nowhere", "4294967297",
    "0x7f000001.1", "nowhere.0x7f", "nowhere.consul", "nowhere.mail",
]  # fmt: skip


async def test_a_webhook_to_an_inner_address_is_refused_when_it_is_stored(shop: Shop, ann: Asker):
    webhooks = shop.live.services.reports.schedules.webhooks

    async def resolver(host: str, port: int) -> Sequence[Address]:
        known = {"inner.example": ["10.0.0.1"], "mixed.example": ["93.184.216.34", "10.0.0.1"]}
        if host in known:
            return [parse_address(text) for text in known[host]]
        return await resolve_by_system(host, port)

    object.__setattr__(webhooks, "resolver", resolver)
    place, _ = await scheduled(ann)
    for host in INNER:
        hook = {"url": f"https://{host}/done", "secret": SECRET}
        refused = await ann.ask("PATCH", place, {"webhook": hook})
        assert refused.status_code == 422, (host, refused.text)
        created = await ann.ask(
            "POST", place.rpartition("/")[0], {"cron": "0 8 * * *", "webhook": hook}
        )
        assert created.status_code == 422, (host, created.text)
    assert (await ann.fetch("GET", place))["webhook_host"] is None


@pytest.mark.requirement("F7-6")
@pytest.mark.parametrize("scope", ["user", "tenant"])
async def test_a_schedule_whose_budget_is_used_up_is_left_out_and_says_so(
    shop: Shop, ann: Asker, scope: str
):
    place, _ = await scheduled(ann)
    boss = await shop.colleague(ann, "boss", "admin")
    who = ann.caller.who
    scope_id = who.user_id if scope == "user" else who.tenant_id
    budget = {"scope": scope, "scope_id": scope_id, "period": "month", "tokens_max": 0}
    await boss.fetch("PUT", "/budgets", budget)
    await make_due(shop)
    await tick(shop)
    assert await runs(shop) == 0
    shown = await ann.fetch("GET", place)
    assert (shown["last_status"], shown["is_active"]) == ("skipped", True)
    assert "budget for this month: 0 of 0 tokens used" in shown["last_error"]
    assert "once there is room" in shown["last_error"]
    assert datetime.fromisoformat(shown["next_at"]) > datetime.now(UTC)
    # Where there is some of it left, it runs: a report asks no model.
    await boss.fetch("PUT", "/budgets", {**budget, "tokens_max": 1})
    await make_due(shop)
    await tick(shop)
    await shop.live.services.reports.clockwork.wait_until_idle()
    assert await runs(shop) == 1
    assert (await ann.fetch("GET", place))["last_status"] == "done"
