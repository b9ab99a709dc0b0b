import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY, type Plan } from "@/stream/conversation";
import type { Numbered } from "@/stream/events";
import { isOpen } from "@/stream/plans";
import { reduce } from "@/stream/reduce";

type Part = Record<string, unknown> & { event_type: string };

function planAfter(...parts: Part[]): Plan {
  const start = { event_type: "start", message_id: "m", model: "x", assistant_id: "a", mode: "ask" };
  const events = [start, ...parts].map((part, at) => ({ timestamp: at, run_id: "r", ...part, seq: at + 1 }));
  return reduce(EMPTY, events as unknown as Numbered[]).plan as Plan;
}

const step = (step_number: number, more: object = {}) => ({
  step_number,
  description: `step ${step_number}`,
  dependencies: [],
  status: "pending",
  ...more,
});
const version = (number: number, steps: object[], more: object = {}): Part => ({
  event_type: "work_plan",
  plan_id: "r",
  version: number,
  status: "in_progress",
  stage: null,
  round: 0,
  change: "made",
  by: null,
  reason: "",
  steps,
  ...more,
});
const begins = (step_number: number, more: object = {}): Part => ({ event_type: "step_start", plan_id: "r", agent: "", step_number, ...more });
const ends = (step_number: number, more: object = {}): Part => ({
  event_type: "step_end",
  plan_id: "r",
  step_number,
  success: true,
  status: "completed",
  duration_ms: 5,
  result: "",
  tokens: {},
  cost: null,
  currency: "USD",
  ...more,
});
const statuses = (plan: Plan) => plan.steps.map(({ number, status }) => `${number} ${status}`);

test("a to-do list is a plan whose steps are counted from 1, which nobody else changes", () => {
  const todos = ["completed", "in_progress", "cancelled", "odd"].map((status) => ({ content: status, status }));
  const plan = planAfter({ event_type: "todo_update", todos });
  expect(statuses(plan)).toEqual(["1 completed", "2 in_progress", "3 cancelled", "4 pending"]);
  expect([plan.version, isOpen(plan)]).toEqual([null, false]);
});

test("steps are found by their number, wherever they stand", () => {
  const plan = planAfter(version(1, [step(3), step(1), step(2)]), begins(1), begins(3, { agent: "counter" }), ends(3));
  expect(statuses(plan)).toEqual(["3 completed", "1 in_progress", "2 pending"]);
  expect(plan.steps[0]).toMatchObject({ agent: "counter", durationMs: 5 });
});

test("that a step began or ended counts, whatever a later version says", () => {
  const plan = planAfter(
    version(1, [step(1), step(2), step(3)]),
    begins(1),
    ends(1, { result: "42", tokens: { total_tokens: 7 }, cost: 0.5 }),
    begins(2),
    version(2, [step(2), step(1), step(3), step(4)], { change: "edited", by: "ann" }),
    ends(1, { status: "failed", success: false }),
  );
  expect(statuses(plan)).toEqual(["2 in_progress", "1 completed", "3 pending", "4 pending"]);
  expect(plan.steps[1]).toMatchObject({ result: "42", tokens: 7, cost: 0.5 });
  expect(plan.changes).toMatchObject([{ version: 2, change: "edited", by: "ann" }]);
});

test("a step of an open plan may have ended without ever being begun", () => {
  const plan = planAfter(version(1, [step(1), step(2, { status: "skipped" })]), ends(1, { status: "timeout", success: false, result: "too slow" }));
  expect(statuses(plan)).toEqual(["1 timeout", "2 skipped"]);
  expect(plan.steps[0]?.result).toBe("too slow");
});

test("an older version changes nothing", () => {
  const plan = planAfter(version(2, [step(1)], { stage: "execute", round: 1 }), version(1, [step(9)]), version(2, [step(9)]));
  expect(statuses(plan)).toEqual(["1 pending"]);
  expect(plan).toMatchObject({ version: 2, stage: "execute", round: 1 });
});

test("a change by a person, which is of no run, is of the plan it names", () => {
  const plan = planAfter(version(1, [step(1)]), { ...version(2, [step(1), step(2)], { change: "edited", by: "ann" }), run_id: "" });
  expect(statuses(plan)).toEqual(["1 pending", "2 pending"]);
  expect(plan.runId).toBe("r");
});

test("without a work plan the agent's own list is the plan, beside one it is not", () => {
  const todos = { event_type: "todo_update", todos: [{ content: "look", status: "pending" }] };
  expect(planAfter(version(1, [step(1), step(2)]), todos).steps).toHaveLength(2);
  const fallen = planAfter(version(1, []), version(2, [], { status: "timeout", reason: "5 s were over" }), todos);
  expect(fallen).toMatchObject({ status: "timeout", reason: "5 s were over", steps: [{ number: 1, text: "look" }] });
});

test("a plan belongs to its run: the next one begins without, and its turn keeps it", () => {
  const all = [
    { event_type: "start", run_id: "r", message_id: "m" },
    version(1, [step(1)]),
    { event_type: "done", reason: "completed" },
    { event_type: "start", run_id: "q", message_id: "n" },
  ].map((part, at) => ({ timestamp: at, run_id: "r", ...part, seq: at + 1 }) as unknown as Numbered);
  const { plan, items } = reduce(EMPTY, all);
  expect(plan).toBeNull();
  expect(items.filter((item) => item.kind === "plan")).toMatchObject([{ runId: "r", plan: { version: 1 } }]);
});

test("where facts stand among the versions makes no difference", () => {
  const facts = [begins(1), ends(1), begins(2), begins(3), ends(3, { status: "failed", success: false })];
  const versions = [version(1, [step(1), step(2), step(3)]), version(2, [step(3), step(2), step(1)])];
  const mixed = fc.shuffledSubarray([...facts, ...versions], { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(mixed, (parts) => {
      expect(statuses(planAfter(...parts))).toEqual(["3 failed", "2 in_progress", "1 completed"]);
    }),
  );
});
