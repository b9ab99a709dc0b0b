"""The model's script for the recorded sessions, by user message."""

from typing import Any

from dataagent_core.models.scripted.demo_script import CATEGORY_SQL, RECALL

# Each word once, so that a gap or a repeat shows.
WORDS = " ".join(f"w{number}" for number in range(160))
LONG = " ".join(f"Fact {number} of the history is {number * number}." for number in range(120))
EDITS = (
    "printf 'one\\ntwo\\n' > made/new.txt; printf 'changed\\n' >> made/kept.txt; rm made/gone.txt"
)
SLOW = "echo ran >> ran.txt; for i in $(seq 600); do sleep 0.05; done"


def call(name: str, /, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def says(match: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"match": match, "recall": RECALL, "steps": list(steps)}


def write(path: str, content: str) -> dict[str, Any]:
    return call("write_file", file_path=path, content=content)


def todos(done: int) -> dict[str, Any]:
    plan = ("Look", "Write", "Tell")
    status = ["completed"] * done + ["in_progress"] + ["pending"] * len(plan)
    return call(
        "write_todos",
        todos=[{"content": text, "status": status[at]} for at, text in enumerate(plan)],
    )


def task(what: str, **more: Any) -> dict[str, Any]:
    return call("task", **_step(what), **more)


def _step(what: str) -> dict[str, Any]:
    return {"description": f"look after {what}", "subagent_type": "general-purpose"}


_OPTIONS = [
    {"label": "By month", "description": "Twelve rows", "is_recommended": True},
    {"label": "By day", "description": "365 rows"},
]

SCRIPT: dict[str, Any] = {
    "scripts": [
        says("concise summary", {"text": "The person asked for facts and got them."}),
        says("plain", {"text": "Hello. This is a **plain** answer, 数据 and 🎉 in it."}),
        says(
            "think",
            {
                "thought": "They want it thought through. " * 6,
                "text": "I thought about it. " * 8,
                "chunk_delay_s": 0.02,
            },
        ),
        says(
            "category",
            {
                "thought": "A query will tell.",
                "text": "I ask the warehouse.",
                "tool_calls": [call("sql_query", source="shop", sql=CATEGORY_SQL)],
            },
            {
                "text": "**Grocery** earned 28,793,332.28, Books 21,500,918.97 [{{result:0}}]; "
                "somebody once said 12,345,678."
            },
        ),
        says(
            "parallel",
            {"text": "A plan and three calls.", "tool_calls": [todos(0)]},
            {
                "tool_calls": [
                    write("/made/a.txt", "first\n"),
                    call("shell", command="sleep 0.3; echo slow"),
                    write("/made/b/c.txt", "second\nthird\n"),
                    call("read_file", file_path="/nowhere.txt"),
                ]
            },
            {"text": "All are back.", "tool_calls": [todos(2)]},
            {"text": "Done."},
        ),
        says(
            "look after apples",
            {"tool_calls": [write("/made/apples.txt", "red\n")]},
            {"text": "Red."},
        ),
        says(
            "look after pears",
            {"tool_calls": [call("shell", command="sleep 0.2; echo green")], "delay_s": 0.1},
            {"text": "Green."},
        ),
        says(
            "delegate",
            {"text": "Two helpers.", "tool_calls": [task("apples"), task("pears")]},
            {"text": "Apples are red, pears are green."},
        ),
        says("look after stones", {"text": "Never said.", "failures": [{"status": 400}] * 9}),
        says(
            "^@code-reviewer",
            {"text": "I look at it."},
            {"text": "The reviewer has looked at it."},
        ),
        says(
            "in a row",
            {"tool_calls": [task("apples", then=[_step("pears")]), task("stones")]},
            {"text": "Stones failed."},
        ),
        says(
            "a skill",
            {"text": "I load it.", "tool_calls": [call("skill", name="code-review")]},
            {"text": "I know how now."},
        ),
        says(
            "note",
            {"text": "I write it.", "tool_calls": [write("/note.txt", "by the agent\n")]},
            {"text": "It is written."},
        ),
        says(
            "clarify",
            {
                "text": "I ask first.",
                "tool_calls": [
                    call(
                        "ask_clarification",
                        question_type="scope",
                        question="How fine should it be?",
                        options=_OPTIONS,
                        required=True,
                    )
                ],
            },
            {"text": "As you wish."},
        ),
        says(
            "crash in text",
            {"tool_calls": [call("ls", path="/")], "text": "First a look."},
            {"thought": "Now to tell. ", "text": WORDS, "chunk_delay_s": 0.04},
        ),
        says(
            "crash in a command",
            {"text": "I run it.", "tool_calls": [call("shell", command=SLOW)]},
            {"text": "It ran."},
        ),
        says("slowly", {"text": WORDS, "chunk_delay_s": 0.05}),
        says(
            "break off",
            {
                "thought": "It will break. " * 4,
                "text": WORDS,
                "chunk_delay_s": 0.01,
                "failures": [{"disconnect": True}, {"status": 503}],
            },
        ),
        says("fail", {"text": "Never said.", "failures": [{"status": 400}] * 9}),
        says("history", {"text": LONG}),
        says(
            "edit files",
            {
                "tool_calls": [
                    write("/made/kept.txt", "as it was\n"),
                    write("/made/gone.txt", "was here\n"),
                ]
            },
            {"text": "I run a command.", "tool_calls": [call("shell", command=EDITS)]},
            {"text": "Three files changed."},
        ),
        says(
            "progress",
            {"text": "A long call.", "tool_calls": [call("mcp__local_small__progress", steps=3)]},
            {"text": "It is through."},
        ),
        {"steps": [{"text": "Hello."}]},
    ]
}
