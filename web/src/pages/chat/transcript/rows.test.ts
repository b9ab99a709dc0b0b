import { expect, test } from "vitest";
import { citationsOf, figuresOf as answerFigures } from "@/pages/chat/transcript/answer/figures";
import { figuresOf, isBackground, taskStatus } from "@/pages/chat/transcript/calls/taskFigures";
import { rowsOf, sameRow, type Row } from "@/pages/chat/transcript/rows";
import { EMPTY } from "@/stream/conversation";
import type { Event, Numbered } from "@/stream/events";
import { reduce } from "@/stream/reduce";

type Part = Partial<Record<string, unknown>> & { event_type: Event["event_type"] };

function conversation(...parts: Part[]) {
  const events = [{ event_type: "start", message_id: "m", model: "x", assistant_id: "a", mode: "ask" }, ...parts].map(
    (part, at) => ({ timestamp: at, run_id: "r", ...part, seq: at + 1 }),
  );
  return reduce(EMPTY, events as unknown as Numbered[]);
}

const call = (id: string, tool_name = "grep", more: object = {}): Part => ({
  event_type: "tool_call",
  tool_call_id: id,
  tool_name,
  tool_args: {},
  subagent: null,
  ...more,
});
const result = (id: string, more: object = {}): Part => ({
  event_type: "tool_result",
  tool_call_id: id,
  tool_name: "grep",
  result: "",
  status: "success",
  duration_ms: 1,
  receipt: null,
  artifacts: [],
  ...more,
});
const text = (content: string): Part => ({
  event_type: "text",
  content,
  is_final: true,
  figures: [],
  unsourced: [],
});
const task = (id: string, name: string, more: object = {}) =>
  call(id, "task", { tool_args: { subagent_type: name, description: id }, ...more });
const subagent = (subagent_id: string, phase: string, more: object = {}): Part => ({
  event_type: "subagent",
  subagent_id,
  phase,
  name: "two",
  task: "",
  tokens: {},
  ...more,
});
const kinds = (rows: Row[]) => rows.map((row) => (row.kind === "item" ? row.item.kind : row.kind));

test("calls that stand together are one row; words between them part them", () => {
  const rows = rowsOf(conversation(call("1"), result("1"), call("2"), call("3"), text("so"), call("4")));
  expect(kinds(rows)).toEqual(["message", "calls", "text", "calls"]);
  expect(rows[1]).toMatchObject({ calls: [{ callId: "1" }, { callId: "2" }, { callId: "3" }] });
});

test("a call that made something stands alone", () => {
  const made = result("2", { artifacts: [{ path: "/charts/a.png" }] });
  const rows = rowsOf(conversation(call("1"), call("2"), made, call("3")));
  expect(rows.map((row) => (row.kind === "calls" ? row.calls.length : 0))).toEqual([0, 1, 1, 1]);
});

test("the plan is shown elsewhere and parts no calls; a failed one is told", () => {
  const plan = call("2", "write_todos");
  expect(kinds(rowsOf(conversation(call("1"), plan, result("2"), call("3"))))).toEqual(["message", "calls"]);
  expect(rowsOf(conversation(plan, result("2", { status: "error" })))).toHaveLength(2);
});

test("a sub-agent's calls are inside its task; two of one name share them", () => {
  const inner = (id: string, subagent: string) => call(id, "grep", { subagent });
  const rows = rowsOf(
    conversation(task("a", "one"), task("b", "two"), task("c", "two"), inner("1", "one"), inner("2", "two")),
  );
  expect(kinds(rows)).toEqual(["message", "tasks"]);
  expect(rows[1]).toMatchObject({
    tasks: [{ rows: [{ calls: [{ callId: "1" }] }] }, { rows: [] }, { rows: [] }],
    shared: [{ callId: "2" }],
  });
});

test("two runs of one sub-agent side by side are two cards, each with its own steps and figures", () => {
  const finish = (subagent_id: string, tokens: object): Part => ({ event_type: "step_finish", subagent_id, tokens, cost: 0.5, currency: "USD" });
  const rows = rowsOf(
    conversation(
      task("a", "two"),
      task("b", "two"),
      subagent("m:a", "assigned", { reason: "words", confidence: 0.9 }),
      subagent("m:b", "started"),
      call("1", "grep", { subagent: "two", subagent_id: "m:b" }),
      { ...text("found it"), subagent_id: "m:a" },
      finish("m:a", { total_tokens: 15 }),
      finish("m:a", { total_tokens: 25 }),
      call("2", "grep", { subagent: "two", subagent_id: "m:a" }),
      subagent("m:b", "failed", { duration_ms: 7 }),
      subagent("m:a", "finished", { duration_ms: 9, reason: "" }),
    ),
  );
  expect(kinds(rows)).toEqual(["message", "tasks"]);
  const [a, b] = rows[1]?.kind === "tasks" ? rows[1].tasks : [];
  expect(kinds(a?.rows ?? [])).toEqual(["text", "calls"]);
  expect(b?.rows).toMatchObject([{ calls: [{ callId: "1" }] }]);
  expect(a && figuresOf(a)).toMatchObject({ tokens: 40, cost: 1, ms: 9, reason: "words", confidence: 0.9 });
  expect([a, b].map((each) => each && taskStatus(each, "r"))).toEqual(["ok", "failed"]);
});

test("a task in the background is a card that has begun, with the id of its session", () => {
  const rows = rowsOf(conversation(subagent("task-1", "assigned", { mode: "background" })));
  const [card] = rows[1]?.kind === "tasks" ? rows[1].tasks : [];
  expect(card && [card.id, isBackground(card), taskStatus(card, "r")]).toEqual(["task-1", true, "ok"]);
});

test("a sub-agent's sub-agent is a card among its own steps, with or without a call", () => {
  const rows = rowsOf(
    conversation(
      task("a", "lead"),
      subagent("m:a", "started", { name: "lead" }),
      task("b", "two", { subagent: "lead", subagent_id: "m:a" }),
      subagent("n:b", "started", { parent_id: "m:a" }),
      call("1", "grep", { subagent: "two", subagent_id: "n:b" }),
      subagent("routed", "started", { parent_id: "m:a", name: "three" }),
      call("2", "grep", { subagent: "three", subagent_id: "routed" }),
    ),
  );
  expect(rows[1]).toMatchObject({
    tasks: [{ id: "m:a", rows: [{ kind: "tasks", tasks: [
      { id: "n:b", rows: [{ calls: [{ callId: "1" }] }] },
      { id: "routed", call: null, rows: [{ calls: [{ callId: "2" }] }] },
    ] }] }],
  });
});

test("a sub-agent's sub-agent is in the card of who delegated, also where their calls have one id", () => {
  const of = (parent_id: string) => ({ subagent: "lead", subagent_id: parent_id });
  const rows = rowsOf(
    conversation(
      task("a", "lead"),
      task("b", "lead"),
      subagent("m:a", "started", { parent_id: null }),
      subagent("m:b", "started", { parent_id: null }),
      task("call_0", "two", of("m:a")),
      task("call_0", "two", of("m:b")),
      subagent("n:call_0", "started", { parent_id: "m:a" }),
      subagent("o:call_0", "started", { parent_id: "m:b" }),
    ),
  );
  expect(rows[1]).toMatchObject({
    tasks: [
      { id: "m:a", rows: [{ tasks: [{ id: "n:call_0" }] }] },
      { id: "m:b", rows: [{ tasks: [{ id: "o:call_0" }] }] },
    ],
  });
});

test("a sub-agent's plan is not the plan of the conversation, and its text does not end the agent's", () => {
  const piece = (content: string, more: object = {}): Part => ({ ...text(content), is_final: false, ...more });
  const plan: Part = { event_type: "todo_update", todos: [{ content: "x", status: "pending" }] };
  const { items, plan: shown } = conversation(
    piece("one "),
    piece("other", { subagent_id: "m:a" }),
    { ...plan, subagent_id: "m:a" },
    piece("two"),
  );
  expect(items.flatMap((item) => (item.kind === "text" ? [item.text] : []))).toEqual(["one two", "other"]);
  expect(shown).toBeNull();
});

test("a skill is a line once it is used, and then only one", () => {
  const skill = (phase: string, name = "notes"): Part => ({ event_type: "skill", phase, name, detail: {} });
  expect(kinds(rowsOf(conversation(skill("matched"), skill("matched", "other"))))).toEqual(["message"]);
  const rows = rowsOf(conversation(skill("matched"), skill("activated"), skill("completed")));
  expect(kinds(rows)).toEqual(["message", "agent"]);
});

test("a resumed run is a rule, except right behind the answer it waited for", () => {
  const asked: Part = { event_type: "hitl_request", interrupt_id: "q", kind: "approval", action_requests: [] };
  const answer: Part = { event_type: "hitl_answer", interrupt_id: "q", kind: "approval", decision: {}, by: "ann" };
  const resumed: Part = { event_type: "resumed", attempt: 2, discard_after: 99 };
  expect(kinds(rowsOf(conversation(asked, answer, resumed)))).toEqual(["message", "request"]);
  expect(kinds(rowsOf(conversation(asked, resumed)))).toEqual(["message", "request", "notice"]);
});

test("only the rows that changed are drawn again", () => {
  const before = conversation(call("1"), result("1"), text("so"), call("2"));
  const last = before.lastSeq + 1;
  const after = reduce(before, [{ ...result("2"), seq: last, run_id: "r", timestamp: last } as unknown as Numbered]);
  const [was, is] = [rowsOf(before), rowsOf(after)];
  expect(is.map((row, at) => sameRow(row, was[at] as Row))).toEqual([true, true, true, false]);
});

test("figures stand where the server says, counted in characters", () => {
  const figures = answerFigures({
    text: "🎉 revenue 42, share 7%",
    figures: [{ text: "42", start: 10, end: 12, result_id: "r_1", derivation: "sum", detail: "sum(x)", class: "cited" }],
    unsourced: [{ text: "7%", start: 20, end: 22, reason: "not_found" }, "odd"],
  });
  expect(figures.map(({ start, end }) => "🎉 revenue 42, share 7%".slice(start, end))).toEqual(["42", "7%"]);
  expect(figures.map(({ source }) => source.kind)).toEqual(["result", "none"]);
});

test("a figure whose meaning was not checked is no receipt", () => {
  const found = { text: "42", start: 0, end: 2, result_id: "r_1", derivation: "cell", detail: "x, row 1" };
  const figures = answerFigures({ text: "42 7", figures: [{ ...found, class: "value" }], unsourced: [] });
  expect(figures.map(({ source }) => source)).toEqual([
    { kind: "value", resultId: "r_1", derivation: "cell", detail: "x, row 1" },
  ]);
});

test("a result that is named twice keeps its number", () => {
  const text = "A [r_0123456789ab], B [r_ba9876543210: sum(x)], A again [r_0123456789ab], not [r_x]";
  expect(citationsOf(text).map(({ number }) => number)).toEqual([1, 2, 1]);
});
