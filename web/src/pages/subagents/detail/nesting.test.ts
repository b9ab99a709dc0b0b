import { expect, test } from "vitest";
import { nestingOf, type Nested } from "@/pages/subagents/detail/nesting";
import type { Activity } from "@/pages/subagents/queries";

const one = (id: string, parent: string | null, type: Activity["type"] = "tool_call") =>
  ({ id, parent_activity_id: parent, type }) as Activity;
const idsOf = (all: readonly Nested[]): unknown[] => all.map(({ activity, steps }) => (steps.length ? [activity.id, idsOf(steps)] : activity.id));

test("steps stand below their task in the order they were taken, tasks the newest first", () => {
  const { tasks, loose } = nestingOf([
    one("t2-call", "t2"),
    one("t1-second", "t1"),
    one("t2", "of another sub-agent", "subagent"),
    one("t1-inner-call", "t1-inner"),
    one("t1-inner", "t1", "subagent"),
    one("t1-first", "t1", "model_call"),
    one("t1", null, "subagent"),
  ]);
  expect(idsOf(tasks)).toEqual([["t2", ["t2-call"]], ["t1", ["t1-first", ["t1-inner", ["t1-inner-call"]], "t1-second"]]]);
  expect(loose).toEqual([]);
});

test("steps of a task that is on the next page are kept apart", () => {
  const { tasks, loose } = nestingOf([one("b", "t0"), one("t1", null, "subagent"), one("a", "t0")]);
  expect([idsOf(tasks), idsOf(loose)]).toEqual([["t1"], ["a", "b"]]);
});
