import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyDraft, lostOf, rowsOf, withAdded, withFields, withoutAdded, withSkip, type PlanDraft } from "@/pages/chat/plan/edit/draft";
import { editsOf, type Edit } from "@/pages/chat/plan/edit/edits";
import { movedBy, movedOnto, orderOf } from "@/pages/chat/plan/edit/order";
import type { Plan } from "@/stream/conversation";
import { stepOf } from "@/stream/plans";

function plan(version: number, ...steps: object[]): Plan {
  const made = steps.map((raw, at) => stepOf({ step_number: at + 1, description: `step ${at + 1}`, ...raw }, at + 1));
  return { runId: "r", version, status: "in_progress", stage: null, round: 0, reason: "", changes: [], steps: made, facts: {} };
}

const three = plan(1, {}, {}, {});
const order = (draft: PlanDraft, keys: string[]): PlanDraft => ({ ...draft, order: keys });

test("nothing changed is no edit, also when it was changed back", () => {
  const changed = withFields(three, emptyDraft(three), "2", { text: "other" });
  expect(editsOf(three, changed)).toEqual([{ op: "edit", step_number: 2, description: "other" }]);
  expect(editsOf(three, withFields(three, changed, "2", { text: "step 2" }))).toEqual([]);
});

test("a step is added where it stands, and one without words is not", () => {
  let draft = withAdded(three, withAdded(three, emptyDraft(three)));
  draft = withFields(three, draft, "new 1", { text: " check ", agent: "counter", dependencies: [1] });
  draft = order(draft, ["1", "new 1", "2", "3", "new 2"]);
  const added = { op: "add", description: "check", before: 2, expected_output: "", thought_prompt: "", assigned_agent: "counter", dependencies: [1] };
  expect(editsOf(three, draft)).toEqual([added]);
  expect(editsOf(three, withoutAdded(draft, "new 1"))).toEqual([]);
});

test("one step that moves is one move, and what is left out goes last", () => {
  const draft = withSkip(order(emptyDraft(three), ["3", "1", "2"]), 2, true);
  expect(editsOf(three, draft)).toEqual([
    { op: "move", step_number: 3, before: 1 },
    { op: "skip", step_number: 2 },
  ]);
});

test("a step that has begun is locked: others move around it", () => {
  const begun = plan(1, { status: "completed" }, { status: "in_progress" }, {}, {});
  const draft = order(emptyDraft(begun), ["3", "1", "4", "2"]);
  expect(editsOf(begun, draft).map((edit) => edit.op === "move" && edit.step_number)).toEqual([4, 3]);
  expect(rowsOf(begun, draft).map((row) => row.locked)).toEqual([false, true, false, true]);
});

test("what somebody else changed meanwhile stands beside what was typed, and can be applied to it", () => {
  const draft = withFields(three, emptyDraft(three), "2", { text: "mine" });
  const theirs = plan(2, {}, { description: "theirs" }, {}, {});
  expect(rowsOf(theirs, draft)[1]).toMatchObject({ fields: { text: "mine" }, theirs: { text: "theirs" } });
  expect(editsOf(theirs, draft)).toEqual([{ op: "edit", step_number: 2, description: "mine" }]);
  expect(rowsOf(theirs, draft).map((row) => row.key)).toEqual(["1", "2", "3", "4"]);
  // Another field of the same step is no conflict.
  const elsewhere = plan(2, {}, { expected_output: "a table" }, {});
  expect(rowsOf(elsewhere, draft)[1]).toMatchObject({ fields: { text: "mine", expectedOutput: "a table" }, theirs: {} });
});

test("a change of a step that has begun meanwhile is not sent and not lost", () => {
  const draft = withSkip(withFields(three, emptyDraft(three), "2", { text: "mine" }), 3, true);
  const later = plan(2, {}, { status: "in_progress" });
  expect(editsOf(later, draft)).toEqual([]);
  expect(lostOf(later, draft)).toEqual([
    { number: 2, text: "mine" },
    { number: 3, text: "" },
  ]);
});

test("a step the plan got since stands where the plan has it", () => {
  const draft = order(emptyDraft(three), ["3", "2", "1"]);
  const grown = plan(2, {}, {}, {}, {});
  expect(orderOf({ ...grown, steps: [grown.steps[0]!, grown.steps[3]!, grown.steps[1]!, grown.steps[2]!] }, draft)).toEqual(["3", "2", "1", "4"]);
});

test("up and down stay within the list", () => {
  expect(movedBy(["1", "2"], "1", -1)).toEqual(["1", "2"]);
  expect(movedBy(["1", "2"], "1", 1)).toEqual(["2", "1"]);
});

test("a step is dropped where another one stands, also at the end", () => {
  expect(movedOnto(["1", "2", "3"], "3", "1")).toEqual(["3", "1", "2"]);
  expect(movedOnto(["1", "2", "3"], "1", "3")).toEqual(["2", "3", "1"]);
  expect(movedOnto(["1", "2", "3"], "2", "gone")).toEqual(["1", "2", "3"]);
});

/** What the server does with the edits. */
function applied(edits: readonly Edit[], keys: readonly string[]): string[] {
  const steps = [...keys];
  for (const edit of edits) {
    if (edit.op !== "move") continue;
    steps.splice(steps.indexOf(String(edit.step_number)), 1);
    steps.splice(edit.before === null ? steps.length : steps.indexOf(String(edit.before)), 0, String(edit.step_number));
  }
  return steps;
}

test("the moves bring any order about, and never move what has begun", () => {
  const keys = ["1", "2", "3", "4", "5", "6"];
  const orders = fc.shuffledSubarray(keys, { minLength: keys.length, maxLength: keys.length });
  const begun = fc.subarray(keys);
  fc.assert(
    fc.property(orders, begun, (wanted, locked) => {
      // The dialog moves open steps only, so those that have begun keep their order.
      const inOrder = keys.filter((key) => locked.includes(key));
      const possible = wanted.map((key) => (locked.includes(key) ? (inOrder.shift() as string) : key));
      const from = plan(1, ...keys.map((key) => ({ status: locked.includes(key) ? "completed" : "pending" })));
      const edits = editsOf(from, order(emptyDraft(from), possible));
      expect(applied(edits, keys)).toEqual(possible);
      for (const edit of edits) expect(locked).not.toContain(String(edit.op === "move" && edit.step_number));
    }),
  );
});
