"""Two hundred tools of eight servers, with names and descriptions as real servers have them."""

import pytest
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.tools.definition.tool_origin import make_mcp_origin, make_origin_metadata

SERVERS = [
    "github-api", "gitlab", "slack", "jira-cloud", "postgres", "google-drive", "neo4j-tools", "sentry",
]  # fmt: skip
VERBS = ["create", "get", "list", "update", "delete"]
NOUNS = {
    "issue": "issue in the given project, with its title, body, labels and assignees",
    "pull_request": "pull request of a repository. The branch must exist and must be pushed first",
    "comment": "comment on an issue or pull request; Markdown is supported in the body",
    "repository_file": "file of the repository at a path and reference, with its content and sha",
    "search_index": "search index used for full text queries over all documents of the workspace",
}


async def run(**_: object) -> str:
    return "ran"


def made(name: str, description: str, server: str) -> BaseTool:
    return StructuredTool(
        name=name,
        description=description,
        args_schema={"type": "object", "properties": {"id": {"type": "string"}}},
        coroutine=run,
        metadata=make_origin_metadata(make_mcp_origin(server)),
    )


@pytest.fixture(scope="session")
def many_tools() -> list[BaseTool]:
    return [
        made(f"mcp__acme_{server}__{verb}_{noun}", f"{verb.capitalize()} a {about}.", server)
        for server in SERVERS
        for noun, about in NOUNS.items()
        for verb in VERBS
    ]
