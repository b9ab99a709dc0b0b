"""The page, as Streamlit's AppTest runs it."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "examples" / "streamlit_demo" / "app.py"
RUN_S_MAX = 60.0


def opened(url: str, api_key: str, language: str = "English") -> AppTest:
    """Open the page with a typed address and key."""
    page = AppTest.from_file(str(APP), default_timeout=RUN_S_MAX)
    page.query_params.clear()
    page.session_state["url"] = url
    page.session_state["api_key"] = api_key
    page.session_state["language"] = language
    return page.run()


def type_server(page: AppTest, **typed: str) -> dict[str, str]:
    """Fill in the form; return all its values."""
    fields = {name: typed.get(name, "") for name in ("name", "command", "url", "args", "env")}
    for name, value in fields.items():
        page.text_input(key=f"mcp_{name}").set_value(value)
    return fields


def add(page: AppTest) -> AppTest:
    (button,) = [one for one in page.button if one.form_id == "mcp_add"]
    return button.click().run()


def typed_in(page: AppTest) -> dict[str, str]:
    names = ("name", "command", "url", "args", "env")
    return {name: str(page.text_input(key=f"mcp_{name}").value) for name in names}


def errors(page: AppTest) -> list[str]:
    return [one.value for one in page.error]


def listed(page: AppTest) -> list[str]:
    """List the servers on the page."""
    shown = [one.label for one in page.expander]
    return [label.split()[1] for label in shown if label.startswith("🔧")]


def pressed(page: AppTest, key: str) -> AppTest:
    return page.button(key=key).click().run()


def pressed_text(page: AppTest, label: str) -> AppTest:
    (button,) = [one for one in page.button if one.label == label]
    return button.click().run()
