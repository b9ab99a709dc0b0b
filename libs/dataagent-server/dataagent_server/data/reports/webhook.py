"""Notifies another server that a run is done: a signed POST.

The address is checked when it is stored, so that the user sees the error, and when it is dialled,
since a name may resolve differently by then. The receiver computes HMAC-SHA256 of `timestamp + "."
+ body` with the shared secret and compares it with `X-DataAgent-Signature`; an old timestamp is a
replay.
"""

import asyncio
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpcore

from dataagent_core.errors import DataAgentError, ToolExecutionError, ValidationError
from dataagent_core.tools.web.urls import format_url, parse_url, read_host, read_port
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_policy import WebPolicy
from dataagent_core.tools.web.web_transport import Resolver, resolve_by_system
from dataagent_server.agents.credentials.base_url_check import why_not
from dataagent_server.data.reports.limits import (
    WEBHOOK_PAUSE_S,
    WEBHOOK_S,
    WEBHOOK_SECRET_CHARS_MAX,
    WEBHOOK_SECRET_CHARS_MIN,
    WEBHOOK_TRIES_MAX,
    WEBHOOK_URL_CHARS_MAX,
)
from dataagent_server.data.reports.report_records import Webhook

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_OK_FROM, _OK_BELOW = 200, 300
# Reserved, or never assigned because internal networks use them.
_INNER_DOMAINS = (
    ".belkin",
    ".consul",
    ".corp",
    ".dhcp",
    ".domain",
    ".home",
    ".home.arpa",
    ".internal",
    ".intern",
    ".intranet",
    ".lan",
    ".local",
    ".localdomain",
    ".localhost",
    ".mail",
    ".private",
    ".svc",
    ".test",
    ".workgroup",
)
# Resolvers read such a name as an address, each in its own way.
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)\Z")


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Sends webhooks; the policy is that of the web tools."""

    policy: WebPolicy
    client: WebClient
    pause_s: float = WEBHOOK_PAUSE_S
    resolver: Resolver = resolve_by_system

    async def check(self, webhook: Webhook) -> Webhook:
        """Return a webhook that may be called, or raise with the reason."""
        url = parse_url(webhook.url)
        if len(webhook.url) > WEBHOOK_URL_CHARS_MAX:
            raise ValidationError(f"The webhook's URL is longer than {WEBHOOK_URL_CHARS_MAX}.")
        try:
            self.policy.check_port(url)
        except ToolExecutionError as error:
            raise ValidationError(str(error)) from error
        if url.scheme != "https" and (read_host(url), read_port(url)) not in self.policy.vouched:
            raise ValidationError(f"{format_url(url)[:200]!r} is not https.")
        secret = webhook.secret
        if not WEBHOOK_SECRET_CHARS_MIN <= len(secret) <= WEBHOOK_SECRET_CHARS_MAX:
            raise ValidationError(
                f"The webhook's secret needs {WEBHOOK_SECRET_CHARS_MIN} to "
                f"{WEBHOOK_SECRET_CHARS_MAX} characters; `openssl rand -hex 32` makes a good one."
            )
        await self._check_address(read_host(url), read_port(url))
        return webhook

    async def _check_address(self, host: str, port: int) -> None:
        try:
            async with asyncio.timeout(WEBHOOK_S):
                found = await self.resolver(host, port)
        except (httpcore.ConnectError, TimeoutError):
            # A receiver may not exist yet; it is resolved again when it is called.
            if not _is_inner_name(host) or (host, port) in self.policy.vouched:
                return
            raise ValidationError(
                f"{host!r} is a name of an inner network. The operator can add '{host}:{port}' to "
                "web_allow_hosts in config.toml."
            ) from None
        if reason := why_not(found, vouched=(host, port) in self.policy.vouched):
            raise ValidationError(
                f"{host!r} {reason}. The operator can add '{host}:{port}' to web_allow_hosts in "
                "config.toml."
            )

    async def tell(self, webhook: Webhook, message: Mapping[str, Any]) -> str:
        """Send a message, with a few retries; return the result as a sentence."""
        body = json.dumps(message, ensure_ascii=False, sort_keys=True).encode()
        outcome = ""
        for number in range(WEBHOOK_TRIES_MAX):
            if number:
                await asyncio.sleep(self.pause_s * 2**number)
            status, outcome = await self._send(webhook, body)
            if status is not None and status not in _AGAIN:
                break
        return outcome

    async def _send(self, webhook: Webhook, body: bytes) -> tuple[int | None, str]:
        try:
            answer = await self.client.request(
                webhook.url,
                method="POST",
                headers=signed_headers(webhook.secret, body, int(time.time())),
                body=body,
                timeout_s=WEBHOOK_S,
            )
        except DataAgentError as error:
            return None, f"not delivered: {error}"
        if _OK_FROM <= answer.status < _OK_BELOW:
            return answer.status, f"delivered: {answer.status}"
        return answer.status, f"not delivered: the receiver answered {answer.status}"


def _is_inner_name(host: str) -> bool:
    """Return whether a name cannot be public: it has no dot, or a reserved ending."""
    name = host.lower().rstrip(".")
    above, _, last = name.rpartition(".")
    return not above or name.endswith(_INNER_DOMAINS) or _NUMBER.match(last) is not None


def signed_headers(secret: str, body: bytes, timestamp_s: int) -> dict[str, str]:
    """Sign a message."""
    signed = f"{timestamp_s}.".encode() + body
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-DataAgent-Timestamp": str(timestamp_s),
        "X-DataAgent-Signature": f"sha256={digest}",
    }


def host_shown(url: str) -> str:
    """Return a webhook's host; the rest of its address may hold a secret."""
    return read_host(parse_url(url))
