"""The OpenAPI document is whole: every operation says what it is and how it may fail."""

import re
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from dataagent_server.api.openapi import TAGS
from dataagent_server.app import create_app
from dataagent_server.common.pagination import PageRequest, make_page
from dataagent_server.workspaces.files.cursor import write as cursor_of_files


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


def _template(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(path)))


async def test_a_method_that_is_not_possible_is_answered_with_every_one_that_is(
    api: httpx.AsyncClient, schema: dict[str, Any]
):
    for path in schema["paths"]:
        place = re.sub(r"\{[^}]*\}", "x", path)
        answer = await api.request("TRACE", place)
        assert answer.status_code == 405, path
        allowed = set(answer.headers["allow"].replace(" ", "").split(",")) - {"HEAD"}
        # A path such as `/sessions/import` is also one of `/sessions/{session_id}`.
        also = [other for other in schema["paths"] if _template(other).fullmatch(place)]
        assert allowed == {method.upper() for each in also for method in schema["paths"][each]}, (
            path
        )


def _cursors(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, operation in operations(schema):
        for parameter in operation.get("parameters", []):
            kinds = parameter["schema"].get("anyOf", [parameter["schema"]])
            texts = [kind for kind in kinds if kind["type"] == "string"]
            if parameter["name"] == "after" and texts and "usage" not in name:
                found[name] = texts[0]
    return found


async def test_a_place_in_a_list_is_described_by_what_it_is_made_of(
    api: httpx.AsyncClient, schema: dict[str, Any]
):
    cursors = _cursors(schema)
    assert len(cursors) > 10
    made = [
        cursor_of_files("/数据/a b.txt"),
        make_page([0, 1], PageRequest(None, 1), lambda _: (datetime.now(UTC), "a.b_c-d")).next,
    ]
    for name, kind in cursors.items():
        pattern = re.compile(kind["pattern"], re.ASCII)
        assert not pattern.match("a b"), name
        if "A-Za-z0-9_-" in kind["pattern"]:
            assert all(pattern.match(cursor or "") for cursor in made), name
        # What is not made of these is refused by the document as it is by the server.
        path = re.sub(r"\{[^}]*\}", "x", name.removeprefix("GET "))
        answer = await api.get(path, params={"after": "no place"})
        assert answer.status_code in {401, 422}, (name, answer.text)


def test_listing_the_tools_says_that_the_server_may_not_be_set_up(schema: dict[str, Any]):
    responses = schema["paths"]["/api/v1/tools"]["get"]["responses"]
    examples = responses["400"]["content"]["application/json"]["examples"]
    assert "CONFIGURATION_ERROR" in examples
