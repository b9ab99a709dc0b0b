"""Chooses the model to use now, with the reason, for `run`, `models` and `doctor`."""

from dataclasses import dataclass

from dataagent_cli.wiring import App


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model's full name, the reason, and core's notice about it."""

    name: str
    why: str
    notice: str | None = None


def choose_model(app: App, wanted: str | None = None) -> ModelChoice:
    """Return the named model, else that of the settings, else one that can be found."""
    from dataagent_core.models import PROVIDERS, detect_model

    if wanted:
        return ModelChoice(wanted, app.say("why_setting", source="--model"))
    if app.settings.model:
        source = app.settings.source_of("model")
        return ModelChoice(app.settings.model, app.say("why_setting", source=source))
    found = detect_model(app.settings)
    variable = PROVIDERS[found.spec.provider].key_variable
    if found.notice is not None:
        why = app.say("why_nothing")
    elif variable is not None:
        why = app.say("why_key", variable=variable)
    else:
        why = app.say("why_ollama")
    notice = None if found.notice is None else app.say.translate(found.notice)
    return ModelChoice(str(found.spec), why, notice)
