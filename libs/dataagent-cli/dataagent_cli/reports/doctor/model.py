"""Can a model be used: is one chosen, can it be built, does its address answer."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.reports.doctor.finding import Finding
from dataagent_cli.setup.model_choice import choose_model
from dataagent_cli.wiring import App
from dataagent_core.errors import DataAgentError

if TYPE_CHECKING:
    from dataagent_core.config import Settings

_ANSWER_S_MAX = 5.0

# Where the SDKs go when no address is set.
_ADDRESSES = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com/v1",
    "google_genai": "https://generativelanguage.googleapis.com",
    "deepseek": "https://api.deepseek.com",
}


def check_model(app: App) -> Iterator[Finding]:
    """Check the model that `dataagent run` would use now."""
    from dataagent_core.models import resolve_model

    say = app.say
    try:
        choice = choose_model(app)
        resolved = resolve_model(choice.name, app.settings)
    except DataAgentError as error:
        yield Finding("model", "problem", str(error), say("see_message"))
        return
    if choice.notice is not None:
        yield Finding("model", "note", say("model_demo"), say("model_demo_fix"))
        return
    yield Finding("model", "ok", say("model_ok", model=resolved.name, why=choice.why))
    url = _address(resolved.name.partition(":")[0], app.settings)
    if url is not None:
        yield _reachable(app, url)


def _address(provider: str, settings: "Settings") -> str | None:
    from dataagent_core.models import PROVIDERS
    from dataagent_core.models.listing.ollama import ollama_url

    if provider == "ollama":
        return ollama_url(settings.ollama_host)
    if provider == "dashscope":
        return settings.dashscope_base_url
    known = PROVIDERS.get(provider)
    return (known.base_url(settings) if known else None) or _ADDRESSES.get(provider)


def _reachable(app: App, url: str) -> Finding:
    import httpx

    try:
        # Any answer will do, a refusal included: somebody is there.
        httpx.head(url, timeout=_ANSWER_S_MAX)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        problem = one_line(str(error)) or type(error).__name__
        detail = app.say("endpoint_bad", url=url, problem=problem)
        return Finding("endpoint", "problem", detail, app.say("endpoint_fix"))
    return Finding("endpoint", "ok", app.say("endpoint_ok", url=url))
