import { expect, test } from "vitest";
import type { Event, Numbered } from "@/stream/events";
import { waterfallOf } from "@/pages/activity/waterfall";

type TestEvent = { event_type: Event["event_type"] } & Record<string, unknown>;

/** Events, one each second from 100 on, unless one says when. */
const log = (...events: TestEvent[]): Numbered[] =>
  events.map((event, index) => ({
    timestamp: 100 + index,
    seq: index + 1,
    run_id: "r",
    ...event,
  })) as unknown as Numbered[];

const START: TestEvent = { event_type: "start" };
const call = (id: string, more = {}): TestEvent => ({
  event_type: "tool_call",
  tool_call_id: id,
  tool_name: `tool_${id}`,
  tool_args: {},
  subagent: null,
  ...more,
});
const result = (id: string, status = "success"): TestEvent => ({
  event_type: "tool_result",
  tool_call_id: id,
  tool_name: `tool_${id}`,
  result: "x",
  status,
});
const TEXT: TestEvent = { event_type: "text", content: "a", is_final: false };
const TURN: TestEvent = { event_type: "step_finish", tokens: { total_tokens: 7 }, cost: null };
const DONE: TestEvent = { event_type: "done", reason: "completed" };

const told = (events: Numbered[]) =>
  waterfallOf(events).bars.map((bar) => [bar.kind, bar.name, bar.from, bar.to, bar.status]);

test("turns begin when the model was free, calls when they were made", () => {
  expect(told(log(START, TEXT, TEXT, TURN, call("a"), result("a"), TURN, DONE))).toEqual([
    ["model", "", 100, 103, "ok"],
    ["tool", "tool_a", 104, 105, "ok"],
    ["model", "", 105, 106, "ok"],
  ]);
});

test("a turn has its tokens and the time of its first word", () => {
  const [turn] = waterfallOf(log(START, TEXT, TURN)).bars;
  expect(turn).toMatchObject({ tokens: { total_tokens: 7 }, firstAt: 101, cost: null });
});

test("calls side by side end each at their own result", () => {
  expect(told(log(START, TURN, call("a"), call("b"), result("a"), result("b", "error"), DONE))).toEqual([
    ["model", "", 100, 101, "ok"],
    ["tool", "tool_a", 102, 104, "ok"],
    ["tool", "tool_b", 103, 105, "error"],
  ]);
});

test("calls of two sub-agents that have one id end each at their own result", () => {
  const by = (subagent_id: string, event: TestEvent): TestEvent => ({ ...event, subagent_id });
  const made = [by("one", call("a")), by("two", call("a"))];
  expect(told(log(START, TURN, ...made, by("one", result("a")), by("two", result("a", "error")), DONE))).toEqual([
    ["model", "", 100, 101, "ok"],
    ["tool", "tool_a", 102, 104, "ok"],
    ["tool", "tool_a", 103, 105, "error"],
  ]);
});

test("turns of sub-agents side by side are their own, and begin when each was free", () => {
  const by = (subagent_id: string, event: TestEvent): TestEvent => ({ ...event, subagent_id });
  const started = (id: string): TestEvent => ({ event_type: "subagent", phase: "started", name: id, subagent_id: id });
  const events = log(
    START, TURN, call("t"),
    started("one"), started("two"),
    by("one", TEXT), by("two", TEXT), by("one", TURN), by("two", TURN),
    DONE,
  );
  const turns = waterfallOf(events).bars.filter((bar) => bar.kind === "model");
  expect(turns.map(({ from, to, depth }) => [from, to, depth])).toEqual([
    [100, 101, 0],
    [103, 107, 1],
    [104, 108, 1],
  ]);
});

test("a wait for a person lasts until the answer, over a restart", () => {
  const ask: TestEvent = { event_type: "hitl_request", kind: "approval", interrupt_id: "i" };
  const answer: TestEvent = { event_type: "hitl_answer", interrupt_id: "i" };
  const resumed: TestEvent = { event_type: "resumed", discard_after: 3 };
  expect(told(log(START, TURN, ask, answer, resumed, call("a"), result("a"), DONE)).slice(1)).toEqual([
    ["wait", "approval", 102, 103, "ok"],
    ["tool", "tool_a", 105, 106, "ok"],
  ]);
});

test("what a crash cut off is lost, unless its result comes after all", () => {
  const resumed: TestEvent = { event_type: "resumed", discard_after: 2 };
  const cut = log(START, call("a"), call("b"), resumed, result("b"), DONE);
  expect(told(cut)).toEqual([
    ["tool", "tool_a", 101, 103, "lost"],
    ["tool", "tool_b", 102, 104, "ok"],
  ]);
});

test("a sub-agent is one bar, its calls stand inside", () => {
  const agent = (phase: string): TestEvent => ({ event_type: "subagent", name: "scout", phase, task: "look" });
  const fold = waterfallOf(
    log(START, agent("assigned"), agent("started"), call("a", { subagent: "scout" }), result("a"), agent("finished"), DONE),
  );
  expect(fold.bars.map((bar) => [bar.name, bar.depth, bar.from, bar.to])).toEqual([
    ["scout", 0, 101, 105],
    ["tool_a", 1, 103, 104],
  ]);
});

test("a failed model call and the wait before the next try are two bars", () => {
  const retry: TestEvent = { event_type: "retry", reason: "429", delay_s: 2 };
  expect(told(log(START, TEXT, retry, { ...TURN, timestamp: 110 }, DONE))).toEqual([
    ["model", "", 100, 102, "error"],
    ["retry", "429", 102, 104, "error"],
    ["model", "", 102, 110, "ok"],
  ]);
});

test("while it runs, the model is busy when nothing else is", () => {
  expect(told(log(START, TURN, call("a"), result("a"))).at(-1)).toEqual(["model", "", 103, null, "running"]);
  expect(told(log(START, TURN, call("a"))).at(-1)).toEqual(["tool", "tool_a", 102, null, "running"]);
  expect(waterfallOf([]).bars).toEqual([]);
});

test("the end closes everything and says why", () => {
  const fold = waterfallOf(log(START, call("a"), { event_type: "done", reason: "user_cancelled" }));
  expect(fold).toMatchObject({ from: 100, to: 102, reason: "user_cancelled" });
  expect(fold.bars[0]).toMatchObject({ to: 102, status: "lost" });
});
