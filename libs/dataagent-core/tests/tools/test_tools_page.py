"""The reference page names every tool with its effect."""

from langchain_core.tools import StructuredTool

from dataagent_core.tools.catalog.reference_page import render_tools_page
from dataagent_core.tools.effects import effect_metadata


def test_the_page_has_a_row_for_every_tool_sorted_by_name() -> None:
    async def run() -> str:
        return ""

    def made(name: str, description: str, **metadata: str) -> StructuredTool:
        return StructuredTool.from_function(
            coroutine=run, name=name, description=description, metadata=metadata
        )

    page = render_tools_page(
        [
            made("shell", "Run a | b.\nMore text."),
            made("ls", "List a folder. With care.", **effect_metadata("pure")),
        ]
    )
    assert page.endswith(
        "| `ls` | pure | List a folder |\n| `shell` | irreversible | Run a \\| b |\n"
    )
