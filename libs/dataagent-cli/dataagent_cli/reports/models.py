"""`dataagent models`: the providers, the current model, and the known models."""

from dataclasses import asdict, dataclass
from typing import Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.setup.model_choice import choose_model
from dataagent_cli.wiring import App
from dataagent_core.config import lookup
from dataagent_core.config.model_catalog import PRESETS, stated_output
from dataagent_core.models import PROVIDERS, Provider
from dataagent_core.models.listing.ollama import first_ollama_model


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """One provider, whether it can be used now, and what to do if not."""

    provider: str
    available: bool
    to_use_it: str
    default_model: str | None


def print_models(app: App, as_json: bool) -> None:
    """Print what is needed to choose a model."""
    choice = choose_model(app)
    providers = [_provider_row(app, provider) for provider in PROVIDERS.values()]
    names = model_names(app)
    if as_json:
        write_document(
            {
                "model": choice.name,
                "why": choice.why,
                "providers": [asdict(row) for row in providers],
                "models": [_model_document(app, name) for name in names],
            }
        )
        return
    say = app.say
    print_table(
        app.output,
        [say("col.provider"), say("col.available"), say("col.set"), say("col.model")],
        [_cells(app, row) for row in providers],
    )
    app.output.line("\n" + say("model_now", model=choice.name, why=choice.why) + "\n")
    print_table(
        app.output,
        [say("col.model"), say("col.context"), say("col.output"), say("col.price")],
        [model_cells(app, name) for name in names],
    )


def _provider_row(app: App, provider: Provider) -> ProviderRow:
    settings, say = app.settings, app.say
    if provider.name == "ollama":
        found = first_ollama_model(settings.ollama_host)
        hint = say("nothing_needed" if found else "start_ollama")
        return ProviderRow(provider.name, found is not None, hint, found)
    if provider.key_variable is None:
        hint = say("scripted_file" if provider.name == "scripted" else "nothing_needed")
        return ProviderRow(provider.name, available=True, to_use_it=hint, default_model=None)
    ready = provider.is_ready(settings)
    hint = say("nothing_needed") if ready else say("set_variable", variable=provider.key_variable)
    return ProviderRow(provider.name, ready, hint, provider.default_model)


def model_names(app: App) -> list[str]:
    """List the models to print: the providers' defaults, the presets, the person's."""
    defaults = [
        f"{provider.name}:{provider.default_model}"
        for provider in PROVIDERS.values()
        if provider.default_model and provider.key_setting
    ]
    known = {name.partition(":")[2] for name in defaults}
    others = [name for name in (*PRESETS, *app.settings.models) if name not in known]
    return [*defaults, *dict.fromkeys(others)]


def _cells(app: App, row: ProviderRow) -> list[str]:
    available = app.say("yes" if row.available else "no")
    return [row.provider, available, row.to_use_it, row.default_model or ""]


def _model_document(app: App, name: str) -> dict[str, Any]:
    known = lookup(name, app.settings.models).model_dump(mode="json")
    return {**known, "max_output_tokens": stated_output(name, app.settings.models)}


def model_cells(app: App, name: str) -> list[str]:
    """Write a model's context window, output limit and price."""
    model = lookup(name, app.settings.models)
    longest = stated_output(name, app.settings.models)
    output = app.say("unknown") if longest is None else f"{longest:,}"
    prices: list[Any] = [model.input_cost_per_1m, model.output_cost_per_1m]
    shown = [app.say("unknown") if price is None else f"{price:g}" for price in prices]
    price = shown[0] if prices == [None, None] else " / ".join(shown)
    return [model.name, f"{model.context_length:,}", output, price]
