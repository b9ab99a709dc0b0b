"""Somebody who uses everything the server offers, over REST, files, event streams and WebSockets.

What `do` returns is all they learn from it, in a form that can be compared (`comparable_answers.py`). Whatever
they write bears a secret of their own; to be shown anybody else's is an error at once.
"""

import itertools
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from comparable_answers import Plain
from eventually import eventually
from hypothesis import strategies as st
from live_server import Caller, LiveServer, hear, hear_until, say
from workflows_live import workflow_of

# What was never made: an id that looks like one.
NOTHING: Final = "0" * 32
REPORT: Final = "title: Short\nblocks:\n- type: heading\n  text: One\n"
SECRET: Final = re.compile(r"secret[0-9]{6}")
_numbers = itertools.count(1)
Answer = tuple[int, Any]


def new_secret() -> str:
    """Make a word nobody else writes."""
    return f"secret{next(_numbers):06}"


@dataclass(frozen=True)
class Step:
    """Something to do, with a thing of this name and with these words."""

    verb: str
    name: str
    words: str


@dataclass
class Persona:
    """One person. `mark` goes before every id they choose; `project` holds their sessions."""

    live: LiveServer
    caller: Caller
    mark: str = ""
    project: str | None = None
    made: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    secret: str = field(default_factory=new_secret)
    plain: Plain = field(init=False)

    def __post_init__(self) -> None:
        who = self.caller.who
        known = {self.caller.key: "<key>", who.tenant_id: "<tenant>", who.user_id: "<me>"}
        known[self.secret] = "<mine>"
        self.plain = Plain(({self.mark: ""} if self.mark else {}) | known)

    async def do(self, step: Step) -> Any:
        """Do it, and return what one learns from it."""
        seen = await VERBS[step.verb](self, replace(step, words=f"{self.secret}{step.words}"))
        foreign = SECRET.findall(json.dumps(seen))
        assert not foreign, (step, foreign)
        return seen

    async def view(self, verbs: list[str]) -> list[Any]:
        """Look at all that these show."""
        return [await self.do(Step(verb, name, "a")) for verb in verbs for name in NAMES]

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Answer:
        answer = await self.raw(method, path, json=body, **more)
        if answer.status_code != 204 and answer.headers["content-type"] == "application/json":
            return answer.status_code, self.plain.of(answer.json())
        return answer.status_code, self.plain.text(answer.text)

    async def raw(self, method: str, path: str, **more: Any) -> Any:
        headers = self.caller.headers | more.pop("headers", {})
        return await self.live.http.request(method, f"/api/v1{path}", headers=headers, **more)

    def session(self, step: Step) -> str:
        return f"{self.mark}{step.name}"

    def thing(self, kind: str, name: str) -> str:
        return self.made.get((kind, name), NOTHING)

    async def make(self, kind: str, step: Step, path: str, body: Any, id_of: str) -> Answer:
        """Create something whose id the server chooses."""
        answer = await self.raw("POST", path, json=body)
        if answer.status_code == 201:
            told = answer.json()
            inner = told.get("key") or told.get("memory") or {}
            self.made[kind, step.name] = told.get(id_of) or inner[id_of]
        return answer.status_code, self.plain.of(answer.json())

    async def last_seq(self, step: Step) -> int:
        found = await self.raw("GET", f"/sessions/{self.session(step)}")
        return found.json()["last_seq"] if found.status_code == 200 else 0


Verb = Callable[[Persona, Step], Awaitable[Any]]
NAMES: Final = ("x", "y")
# Whose ids the server chooses.
MADE: Final = (
    "project", "workspace", "key", "skill", "subagent", "pattern", "offer", "memory",
)  # fmt: skip


def _asks(method: str, path: str, body: dict[str, Any] | None = None) -> Verb:
    """Make a verb of one request; {session}, {name}, {words} and made things are filled in."""

    async def verb(self: Persona, step: Step) -> Any:
        filled: dict[str, str] = {
            "session": self.session(step),
            "name": step.name,
            "chosen": f"{self.mark}{step.name}",
            "words": step.words,
        }
        filled |= {kind: self.thing(kind, step.name) for kind in MADE}
        sent = body
        if sent is not None:
            sent = {k: v.format(**filled) if isinstance(v, str) else v for k, v in sent.items()}
        return await self.ask(method, path.format(**filled), sent)

    return verb


async def _new_session(self: Persona, step: Step) -> Any:
    body: dict[str, Any] = {"session_id": self.session(step), "title": f"About {step.words}"}
    if self.project is not None:
        body["project_id"] = self.project
    return await self.ask("POST", "/sessions", body)


async def _sessions(self: Persona, step: Step) -> Any:
    here = "" if self.project is None else f"?project_id={self.project}"
    return await self.ask("GET", f"/sessions{here}")


async def _search(self: Persona, step: Step) -> Any:
    here = "" if self.project is None else f"&project_id={self.project}"
    return await self.ask("GET", f"/sessions?q={step.words[-1]}&limit=1{here}")


async def _answer(self: Persona, step: Step) -> Any:
    kind = "approve" if step.words.endswith("a") else "reject"
    return await _decide(self, step, {"type": kind})


async def _always(self: Persona, step: Step) -> Any:
    return await _decide(self, step, {"type": "approve", "scope": "always"})


async def _decide(self: Persona, step: Step, decision: dict[str, str]) -> Any:
    found = await self.raw("GET", f"/sessions/{self.session(step)}/requests")
    told = found.json().get("requests", [])
    asked = told[0]["interrupt_id"] if told else NOTHING
    seen = await self.ask("POST", f"/requests/{asked}", {"decision": decision})
    await _rested(self, step)
    return seen


async def _cancel(self: Persona, step: Step) -> Any:
    seen = await self.ask("POST", f"/chat/{self.session(step)}/cancel")
    await _rested(self, step)
    return seen


async def _rested(self: Persona, step: Step) -> None:
    """Wait until nothing is under way: what is seen next must not depend on how fast it went."""

    async def nothing() -> bool:
        runs = (await self.raw("GET", f"/sessions/{self.session(step)}/runs")).json()
        return not any(one["status"] in {"queued", "running"} for one in runs.get("items", []))

    await eventually(nothing)


async def _default(self: Persona) -> str:
    return (await self.raw("GET", "/workspaces/default")).json()["workspace_id"]


def _file(method: str, path: str, *, sends: bool = False) -> Verb:
    async def verb(self: Persona, step: Step) -> Any:
        url = f"/workspaces/{await _default(self)}{path.format(name=step.name)}"
        more = {"content": f"words {step.words}".encode()} if sends else {}
        return await self.ask(method, url, **more)

    return verb


async def _workspaces(self: Persona, step: Step) -> Any:
    # Made if there is none, so that what is listed does not depend on who asked before.
    await _default(self)
    status, told = await self.ask("GET", "/workspaces")
    return status, [one | {"path": None} for one in told["items"]]


async def _new_workspace(self: Persona, step: Step) -> Any:
    await _default(self)
    body = {"name": f"W {step.words}"}
    status, told = await self.make("workspace", step, "/workspaces", body, "workspace_id")
    return status, told | {"path": None}


async def _stream(self: Persona, step: Step) -> Any:
    """Follow the session to where it is now."""
    last = await self.last_seq(step)
    url = f"/api/v1/sessions/{self.session(step)}/events/stream?after=0"
    async with self.live.http.stream("GET", url, headers=self.caller.headers) as answer:
        if answer.status_code != 200:
            return answer.status_code, self.plain.of(json.loads(await answer.aread()))
        heard: list[Any] = []
        lines = answer.aiter_lines()
        while len(heard) < last:
            line = await anext(lines)
            if line.startswith("data:"):
                heard.append(self.plain.of(json.loads(line.removeprefix("data:"))))
        return 200, heard


async def _socket(self: Persona, step: Step) -> Any:
    """Read the session from its beginning, then say something and hear the answer."""
    last = await self.last_seq(step)
    if not last:
        return await self.ask("GET", f"/sessions/{self.session(step)}")
    async with self.live.socket(self.session(step), self.caller, "?after=0") as socket:
        heard = [await hear(socket) for _ in range(last)]
        if any(one["status"] == "waiting_approval" for one in await _open_runs(self, step)):
            return self.plain.of(heard)
        await say(socket, "chat", message=f"hello {step.words}")
        return self.plain.of([*heard, *await hear_until(socket, "done", "error")])


async def _open_runs(self: Persona, step: Step) -> list[Any]:
    answer = await self.raw("GET", f"/sessions/{self.session(step)}/runs")
    return answer.json()["items"]


def _chats(message: str) -> Verb:
    async def verb(self: Persona, step: Step) -> Any:
        known = await self.raw("GET", f"/sessions/{self.session(step)}")
        if known.status_code == 200 and any(
            one["status"] == "waiting_approval" for one in await _open_runs(self, step)
        ):
            # It would wait behind the question.
            return await self.ask("GET", f"/sessions/{self.session(step)}/execution-status")
        body = {"session_id": self.session(step), "message": message.format(words=step.words)}
        return await self.ask("POST", "/chat", body)

    return verb


async def _new_subagent(self: Persona, step: Step) -> Any:
    body = {
        "name": f"s-{step.name}",
        "trigger": {"description": f"Knows {step.words}"},
        "system_prompt": step.words,
    }
    return await self.make("subagent", step, "/subagents", body, "id")


def _makes(kind: str, path: str, body: dict[str, Any], id_of: str) -> Verb:
    async def verb(self: Persona, step: Step) -> Any:
        sent = {k: v.format(words=step.words) for k, v in body.items()}
        return await self.make(kind, step, path, sent, id_of)

    return verb


async def _new_composition(self: Persona, step: Step) -> Any:
    template = {"kind": "sequential", "inputs": {}, "steps": [{"args": {"query": step.words}}]}
    body = {"name": f"c_{step.words}", "tools": ["grep"], "execution_template": template}
    return await self.make("composition", step, "/tool-compositions", body, "id")


async def _new_pattern(self: Persona, step: Step) -> Any:
    body = {
        "name": step.words,
        "goal": f"count the files of {step.words}",
        "steps": [{"tools": ["ls"]}],
    }
    return await self.make("pattern", step, "/agent/patterns", body, "id")


async def _remember(self: Persona, step: Step) -> Any:
    body = {"content": f"I keep {step.words} hens in {step.name}."}
    if self.project is not None:
        body |= {"kind": "project", "project_id": self.project}
    return await self.make("memory", step, "/memories", body, "id")


async def _memories(self: Persona, step: Step) -> Any:
    here = "" if self.project is None else f"&project_id={self.project}"
    return await self.ask("GET", f"/memories?with_past=true{here}")


async def _recall(self: Persona, step: Step) -> Any:
    body: dict[str, Any] = {"query": f"hens in {step.name}"}
    if self.project is not None:
        body |= {"kinds": ["project"], "project_id": self.project}
    status, told = await self.ask("POST", "/memories/search", body)
    # How recent each is counts in the scores; what is found must not depend on anybody else.
    found = sorted(one["memory"]["content"] for one in told["results"])
    return status, found, told["embedder"], told["fusion"]


async def _store_workflow(self: Persona, step: Step) -> Any:
    path = f"/agent/patterns/{self.thing('pattern', step.name)}/workflow"
    return await self.ask("PUT", path, {"text": workflow_of(step.words), "version": 1})


async def _offer_pattern(self: Persona, step: Step) -> Any:
    path = f"/agent/patterns/{self.thing('pattern', step.name)}/share"
    return await self.make("offer", step, path, {"tenant_id": "whoever"}, "id")


# What makes a session grow.
TALKING: Final = ("chat", "look", "write", "answer", "cancel", "socket")
# What is one person's alone.
OWN: Final[dict[str, Verb]] = {
    "new session": _new_session,
    "sessions": _sessions,
    "search": _search,
    "session": _asks("GET", "/sessions/{session}"),
    "rename": _asks("PATCH", "/sessions/{session}", {"title": "Now {words}"}),
    "drop": _asks("DELETE", "/sessions/{session}"),
    "chat": _chats("hello {words}"),
    "write": _chats("write {words}"),
    "look": _chats("look {words}"),
    "todo": _chats("todo {words}"),
    "messages": _asks("GET", "/sessions/{session}/messages"),
    "events": _asks("GET", "/sessions/{session}/events"),
    "requests": _asks("GET", "/sessions/{session}/requests"),
    "runs": _asks("GET", "/sessions/{session}/runs"),
    "tools": _asks("GET", "/sessions/{session}/tool-executions"),
    "status": _asks("GET", "/sessions/{session}/execution-status"),
    "checkpoints": _asks("GET", "/sessions/{session}/checkpoints"),
    "state": _asks("GET", "/sessions/{session}/state"),
    "plan": _asks("GET", "/sessions/{session}/plan"),
    "executions": _asks("GET", "/agent/conversations/{session}/execution"),
    "remember": _remember,
    "memories": _memories,
    "memory": _asks("GET", "/memories/{memory}"),
    "recall": _recall,
    "change memory": _asks(
        "PATCH", "/memories/{memory}", {"version": 1, "content": "I keep {words} goats."}
    ),
    "wrong memory": _asks(
        "POST", "/memories/{memory}/wrong", {"correction": "I keep {words} geese."}
    ),
    "forget memory": _asks("DELETE", "/memories/{memory}"),
    "answer": _answer,
    "always": _always,
    "cancel": _cancel,
    "stream": _stream,
    "socket": _socket,
}
# What a person has beside sessions.
HELD: Final[dict[str, Verb]] = {
    "history": _asks("GET", "/runs"),
    "rules": _asks("GET", "/permissions/rules"),
    "usage": _asks("GET", "/usage?by=session"),
    "budgets": _asks("GET", "/budgets"),
    "upload": _file("PUT", "/files/content?path=/uploads/{name}.txt", sends=True),
    "files": _file("GET", "/files?path=/uploads"),
    "download": _file("GET", "/files/content?path=/uploads/{name}.txt"),
    "unlink": _file("DELETE", "/files?path=/uploads/{name}.txt"),
    "new workspace": _new_workspace,
    "workspaces": _workspaces,
    "drop workspace": _asks("DELETE", "/workspaces/{workspace}"),
    "new key": _makes("key", "/keys", {"name": "K {words}"}, "key_id"),
    "keys": _asks("GET", "/keys"),
    "revoke": _asks("DELETE", "/keys/{key}"),
    "new mcp": _asks(
        "POST", "/mcp/servers", {"name": "{name}", "url": "https://93.184.215.14/{words}"}
    ),
    "mcp servers": _asks("GET", "/mcp/servers"),
    "mcp server": _asks("GET", "/mcp/servers/{name}"),
    "drop mcp": _asks("DELETE", "/mcp/servers/{name}?scope=user"),
    "known": _asks("GET", "/memories/profile"),
    "check memory": _asks("GET", "/memories/doctor"),
    "graph": _asks("GET", "/graph/overview"),
    "episodes": _asks("GET", "/graph/episodes"),
    "entities": _asks("GET", "/graph/entities"),
}
# What everybody in a tenant can see.
COMMON: Final[dict[str, Verb]] = {
    "new project": _makes("project", "/projects", {"name": "P {words}"}, "project_id"),
    "projects": _asks("GET", "/projects"),
    "drop project": _asks("DELETE", "/projects/{project}"),
    "new agent": _asks("POST", "/agents", {"agent_id": "{chosen}", "name": "A {words}"}),
    "agents": _asks("GET", "/agents"),
    "replace agent": _asks("PUT", "/agents/{chosen}", {"name": "R {words}"}),
    "drop agent": _asks("DELETE", "/agents/{chosen}"),
    "new skill": _makes(
        "skill", "/skills", {"name": "s-{words}", "description": "D {words}"}, "id"
    ),
    "skills": _asks("GET", "/skills"),
    "match skills": _asks("POST", "/skills/match", {"message": "review my code"}),
    "disable skill": _asks("POST", "/tenant/skills/disable", {"skill_name": "code-review"}),
    "override skill": _asks(
        "POST",
        "/tenant/skills/override",
        {"skill_name": "code-review", "override_skill_id": "{skill}"},
    ),
    "skill config": _asks("GET", "/tenant/skills/config"),
    "new composition": _new_composition,
    "compositions": _asks("GET", "/tool-compositions"),
    "new pattern": _new_pattern,
    "patterns": _asks("GET", "/agent/patterns"),
    "pattern": _asks("GET", "/agent/patterns/{pattern}"),
    "drop pattern": _asks("DELETE", "/agent/patterns/{pattern}"),
    "store workflow": _store_workflow,
    "workflow": _asks("GET", "/agent/patterns/{pattern}/workflow"),
    "offer pattern": _offer_pattern,
    "offers": _asks("GET", "/agent/pattern-offers"),
    "offers made": _asks("GET", "/agent/pattern-offers?made=true"),
    "new subagent": _new_subagent,
    "subagents": _asks("GET", "/subagents"),
    "drop subagent": _asks("DELETE", "/subagents/{subagent}"),
    "activities": _asks("GET", "/agents/general-purpose/activities"),
    "set agent config": _asks("PUT", "/tenant/agent-config", {"model": "openai:{words}"}),
    "agent config": _asks("GET", "/tenant/agent-config"),
    "credential": _asks("PUT", "/model-credentials/openai", {"key": "sk-{words}-0123456789"}),
    "credentials": _asks("GET", "/model-credentials"),
    "forget": _asks("DELETE", "/model-credentials/openai"),
    "new source": _asks(
        "POST",
        "/data/sources",
        {"name": "{chosen}", "location": "mysql://{words}:{words}@93.184.215.14/d"},
    ),
    "share mcp": _asks(
        "POST",
        "/mcp/servers?scope=tenant",
        {"name": "{chosen}", "url": "https://93.184.215.14/{words}"},
    ),
    "unshare mcp": _asks("DELETE", "/mcp/servers/{chosen}?scope=tenant"),
    "allow mcp": _asks("PATCH", "/mcp/policy", {"network": "hosts"}),
    "mcp policy": _asks("GET", "/mcp/policy"),
    "new report": _makes("report", "/reports", {"definition": "# {words}\n" + REPORT}, "report_id"),
    "reports": _asks("GET", "/reports"),
    "new question": _makes(
        "question",
        "/data/questions",
        {"name": "Q {words}", "source": "{words}", "sql": "SELECT '{words}'"},
        "question_id",
    ),
    "questions": _asks("GET", "/data/questions"),
    "data sources": _asks("GET", "/data/sources"),
    "drop source": _asks("DELETE", "/data/sources/{chosen}"),
    "data results": _asks("GET", "/data/results"),
    "set model": _asks("PUT", "/data/model", {"text": "# {words}"}),
    "data model": _asks("GET", "/data/model"),
    "new member": _asks("POST", "/members", {"username": "{chosen}", "role": "viewer"}),
    "members": _asks("GET", "/members"),
    "tenant": _asks("GET", "/tenants"),
    "new budget": _asks(
        "PUT",
        "/budgets",
        {"scope": "project", "scope_id": "{project}", "period": "day", "cost_max": "7"},
    ),
}
VERBS: Final = OWN | HELD | COMMON


def steps_of(*groups: Iterable[str]) -> st.SearchStrategy[Step]:
    """Draw something to do: talking as often as all of a group together."""
    verbs = st.one_of(*(st.sampled_from(sorted(group)) for group in (TALKING, *groups)))
    return st.builds(Step, verbs, st.sampled_from(NAMES), st.sampled_from("ab"))


def glances(looking: list[str]) -> st.SearchStrategy[list[str]]:
    """Draw what to look at in the end: a few each time, everything over a hundred draws.

    Where only a few are drawn, whoever draws looks at everything once.
    """
    return st.lists(st.sampled_from(looking), min_size=3, max_size=5, unique=True)


async def begin(*people: Persona) -> None:
    """Let everybody have something: a session with a tool call in it, one without, a file."""
    for verb, name in (("new session", "x"), ("look", "x"), ("new session", "y"), ("upload", "x")):
        for one in people:
            await one.do(Step(verb, name, "a"))
