"""The OpenAPI document is whole: every operation says what it is and how it may fail."""

from typing import Any

import httpx
import pytest

from dataagent_server.api.openapi_texts import TAGS
from dataagent_server.app import create_app


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from dataagent_server.settings import ServerSettings

    home = tmp_path_factory.mktemp("home")
    return create_app(ServerSettings.load({"DATAAGENT_HOME": str(home)}, home)).openapi()


def operations(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_operation_has_a_summary_a_description_and_one_known_tag(schema: dict[str, Any]):
    known = {tag["name"] for tag in TAGS}
    for name, operation in operations(schema):
        assert operation.get("summary"), name
        assert operation.get("description"), name
        assert set(operation.get("tags", [])) & known, name


def test_every_operation_has_an_id_of_its_own(schema: dict[str, Any]):
    ids = [operation["operationId"] for _, operation in operations(schema)]
    assert len(ids) == len(set(ids))
    assert all(each.isidentifier() for each in ids)


def test_every_operation_documents_how_it_may_fail(schema: dict[str, Any]):
    for name, operation in operations(schema):
        failures = {s: r for s, r in operation["responses"].items() if s >= "400"}
        wanted = {"422", "429", "500", "503", "504"}
        if operation.get("security") != []:
            wanted |= {"401", "403"}
        if "requestBody" in operation:
            wanted |= {"413", "415"}
        if "{" in name:
            wanted.add("404")
        assert wanted <= set(failures), name
        for failure in failures.values():
            body = failure["content"]["application/json"]
            assert body["schema"] == {"$ref": "#/components/schemas/ErrorResponse"}, name
            assert body["examples"], name


def test_the_frameworks_own_form_of_an_error_is_not_in_the_document(schema: dict[str, Any]):
    assert "HTTPValidationError" not in str(schema)


def test_every_answer_in_json_has_a_schema(schema: dict[str, Any]):
    for name, operation in operations(schema):
        for answer in operation["responses"].values():
            for kind, body in answer.get("content", {}).items():
                assert kind != "application/json" or body.get("schema") not in (None, {}), name


async def test_the_document_and_the_page_are_served(api: httpx.AsyncClient):
    document = (await api.get("/api/v1/openapi.json")).json()
    page = (await api.get("/api/docs")).text
    assert document["openapi"].startswith("3.1")
    for path in document["paths"]:
        assert f"<code>{path}</code>" in page
