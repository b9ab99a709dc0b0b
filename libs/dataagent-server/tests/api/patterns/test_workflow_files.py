"""Files of workflows and inputs that cannot be used: each is refused, and nothing is stored."""

from live_server import LiveServer
from patterns_live import PATTERNS, request
from workflows_live import FILE, ask, store, taught


async def test_wrong_files_and_inputs_are_refused_before_anything_is_stored(live: LiveServer):
    ann = await live.person("ann")
    pattern = await taught(live, ann)
    wrong = [
        "",
        "\x00",
        "a",
        "- 1",
        "{}",
        FILE + "more: 1\n",
        FILE.replace("tool: ls", "tool: rm -rf"),
        FILE.replace("{{day}}", "{{night}}"),
        FILE.replace("looked on {{day}}", r'"\ud800"'),
        FILE.replace("example: monday", r'example: "\ud800"'),
        FILE.replace("path: /", f"path: 0x{'f' * 5_000}"),
        FILE.replace("path: /", f"path: {'[' * 500}{']' * 500}"),
        FILE.replace("path: /", f"path: {'9' * 5_000}"),
        FILE.replace("path: /", "path: .nan"),
        FILE.replace("path: /", "path: 2020-01-01"),
        FILE.replace("path: /", "path: &a [*a]"),
        FILE + "#" * 100_000,
        FILE + "#\n" * 3_000,
        FILE.replace("path: /", "path: " + "界" * 40_000),
    ]
    for text in wrong:
        told = await ask(live, ann, "POST /check", pattern, {"text": text}, status=422)
        assert told["error_code"] == "VALIDATION_ERROR"
        body = {"text": text, "version": pattern["version"]}
        await ask(live, ann, "PUT", pattern, body, status=422)
    for body in (
        {},
        {"text": FILE},
        {"text": FILE, "version": 2**70},
        {"text": None, "version": 1},
    ):
        await ask(live, ann, "PUT", pattern, body, status=422)
    await ask(live, ann, "POST /run", pattern, {"inputs": {}}, status=404)
    await store(live, ann, pattern, FILE.replace("type: text", "type: integer"))
    for inputs in (
        {},
        {"day": ""},
        {"day": None},
        {"day": True},
        {"day": []},
        {"day": "may"},
        {"day": "9" * 302},
        {"day": "1e999"},
        {"day": 1, "more": 1},
        {"a\x00": 1},
        {str(number): number for number in range(100)},
        None,
    ):
        body = {"inputs": inputs}
        await ask(live, ann, "POST /run", pattern, body, status=422)
    await store(
        live,
        ann,
        pattern,
        FILE.replace("goal: look into", r'goal: "\0').replace(
            "{{day}}\ninputs", '{{day}}"\ninputs'
        ),
    )
    await ask(live, ann, "POST /run", pattern, {"inputs": {"day": "1"}}, status=422)
    await store(live, ann, pattern, FILE.replace("type: text", "type: integer"))
    path = f"/api/v1{PATTERNS}/{pattern['id']}/workflow/run"
    for number in ("9" * 5_000, "9" * 400, "1e999", "NaN", "-Infinity"):
        raw = f'{{"inputs": {{"day": {number}}}}}'
        headers = ann.headers | {"Content-Type": "application/json"}
        answer = await live.http.post(path, content=raw, headers=headers)
        assert answer.status_code == 422, (number[:9], answer.text)
    assert len((await request(live, ann, "GET", "/runs"))["items"]) == 3
