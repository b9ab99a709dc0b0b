"""Writes the pages that can be read off the code: `python docs/generate.py`.

A test compares the files with what this writes, so the reference cannot fall behind.
"""

import inspect
import json
import tempfile
from dataclasses import MISSING, fields
from pathlib import Path

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from dataagent_core.config import Settings
from dataagent_core.config.resolve.layers import variable_names
from dataagent_core.events import EVENT_CLASSES, from_dict, json_schema, render_sse
from dataagent_core.events.base import LOG_FIELDS
from dataagent_server.settings import ServerSettings

HERE = Path(__file__).parent
_SHARED_FIELDS = {"event_type", "timestamp", "subagent_id", *LOG_FIELDS}


def events_page() -> str:
    """Describe every event, its fields and its S2 name."""
    lines = [
        "# Events",
        "",
        "Everything a client shows can be rebuilt from these. Made from the code by",
        "`python docs/generate.py`; the JSON schema is `dataagent_core.events.json_schema()`.",
        "",
        "Every event has `event_type` and `timestamp` (seconds), and once the log has taken it",
        "`event_id`, `session_id`, `run_id` and `seq`, which counts 1, 2, 3 ... in each session.",
        "What a sub-agent does carries `subagent_id`, the task it works on; events of the agent",
        "itself have none.",
        "",
    ]
    for cls in EVENT_CLASSES:
        kind = cls.__dataclass_fields__["event_type"].default
        sse = render_sse(from_dict({"event_type": kind, "timestamp": 0.0}))["type"]
        lines += [f"## `{kind}`", "", inspect.cleandoc(cls.__doc__ or ""), ""]
        lines += [f"Class `{cls.__name__}`; S2 type `{sse}` with its default fields.", ""]
        own = [f for f in fields(cls) if f.name not in _SHARED_FIELDS]
        lines += ["| field | type | default |", "|---|---|---|"]
        for field in own:
            default = "empty" if field.default is MISSING else f"`{field.default!r}`"
            shown = str(field.type if isinstance(field.type, str) else _name(field.type))
            lines.append(f"| `{field.name}` | `{shown.replace('|', 'or')}` | {default} |")
        lines.append("")
    return "\n".join(lines)


def _name(hint: object) -> str:
    text = str(hint) if not isinstance(hint, type) or hasattr(hint, "__args__") else hint.__name__
    for noise in ("typing.", "dataagent_core.events.", "pydantic.types."):
        text = text.replace(noise, "")
    return text


def settings_page() -> str:
    """Describe every setting, its variables and its default."""
    lines = [
        "# Settings",
        "",
        "Looked up in the environment, then in `.env` of the current directory, then in",
        "`config.toml` of `DATAAGENT_HOME` (there under the setting's own name). `dataagent config",
        "show` prints each value and where it came from. Made by `python docs/generate.py`.",
        "",
        "`DATAAGENT_HOME` is read from the environment only. Addresses, keys, budgets and the",
        "database are taken from `.env` once you trust it (permissions.md), and an address from it",
        "only with a key from `.env`. A server's `.env` is its operator's.",
        "",
        "| setting | variable | default | meaning |",
        "|---|---|---|---|",
    ]
    lines += [_setting(name, field) for name, field in Settings.model_fields.items()]
    lines += [
        "",
        "## The server's",
        "",
        "Read the same way, in `config.toml` from the table `[server]`. The command line does not",
        "look at them.",
        "",
        "| setting | variable | default | meaning |",
        "|---|---|---|---|",
        *(_setting(name, ServerSettings.model_fields[name]) for name in ServerSettings.tables()),
        "",
        "## The model catalogue",
        "",
        "Context length, output limit, prices and abilities of a model can be set or corrected:",
        "",
        "```toml",
        '[models."my-model"]',
        "context_length = 32000",
        "max_output_tokens = 4096",
        "input_cost_per_1m = 0.5",
        "output_cost_per_1m = 1.5",
        'capabilities = ["chat", "tools", "vision", "pdf"]',
        "```",
        "",
        "A price that nobody knows is unknown, never 0.",
        "What `vision` and `pdf` are for: [pictures.md](pictures.md).",
        "",
    ]
    return "\n".join(lines)


def _setting(name: str, field: FieldInfo) -> str:
    variables = ", ".join(f"`{v}`" for v in variable_names(name, field)) or "config.toml only"
    default = field.get_default(call_default_factory=True)
    # A default that is a secret is empty, and would be shown as such by its own `str`.
    shown = "" if isinstance(default, SecretStr) else default
    return f"| `{name}` | {variables} | `{shown}` | {field.description or ''} |"


def tools_reference() -> str:
    """Describe every built-in tool and its effect, from an agent built for the purpose."""
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.tools.catalog.reference_page import render_tools_page

    with tempfile.TemporaryDirectory() as name:
        # Keys only decide which tools are offered; nothing is called.
        settings = Settings(home=Path(name), tavily_api_key=SecretStr("any"))
        workspace = Path(name, "workspace")
        workspace.mkdir()
        config = AgentConfig("docs", model="demo:demo", workspace_path=workspace)
        return render_tools_page(AgentFactory(settings).built_in_tools(config))


def man_page() -> str:
    """Write the manual page of the command line, with the commands of all our packages."""
    from dataagent_cli.help.manual import manual_page
    from dataagent_cli.main import cli

    return manual_page(cli)


def openapi_document() -> str:
    """Describe the API and its events to the console, whose types are made from this."""
    from dataagent_server.app import create_app

    with tempfile.TemporaryDirectory() as name:
        document = create_app(ServerSettings(home=Path(name))).openapi()
    # Errors have one shape, which the console knows; they would be nine tenths of this file.
    for operations in document["paths"].values():
        for operation in operations.values():
            answers = operation["responses"]
            operation["responses"] = {k: v for k, v in answers.items() if k.startswith("2")}
    events = json_schema(ref_template="#/components/schemas/{model}")
    document["components"]["schemas"] |= events.pop("$defs")
    document["components"]["schemas"]["Event"] = events
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def data_texts() -> str:
    """Give the console the Chinese of what the data tools say, taken apart for its own search."""
    from dataagent_core.language.chinese import in_chinese

    tables = {
        "sentences": in_chinese.sentence_templates,
        "phrases": in_chinese.phrase_templates,
    }
    # A line for each, so that a change of one is seen as one.
    written = {
        name: ",\n".join(json.dumps(one.parts(), ensure_ascii=False) for one in templates)
        for name, templates in tables.items()
    }
    return "{" + ",\n".join(f'"{name}": [\n{rows}\n]' for name, rows in written.items()) + "}\n"


PAGES = {
    "events.md": events_page,
    "settings.md": settings_page,
    "tools.md": tools_reference,
    "man/dataagent.1": man_page,
    "../web/openapi.json": openapi_document,
    "../web/src/i18n/data.zh.json": data_texts,
}


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (HERE / name).write_text(page())


if __name__ == "__main__":
    main()
