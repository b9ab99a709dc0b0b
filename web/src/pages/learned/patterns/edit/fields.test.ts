import { expect, test } from "vitest";
import type { PatternDetail } from "@/api/learned/patterns";
import { conflicts, EMPTY_STEP, stepBody, updateOf, valueOf, withField } from "@/pages/learned/patterns/edit/fields";

const stored = (version: number, more: object = {}) =>
  ({ id: "p", version, name: "Notes", description: "Monthly", steps: [], ...more }) as unknown as PatternDetail;

test("only what was typed is sent, and what is typed back is no change", () => {
  const draft = withField(null, stored(1), "name", "Sales notes");
  expect(draft && updateOf(draft, 1)).toEqual({ version: 1, name: "Sales notes" });
  expect(withField(draft, stored(1), "name", "Notes")).toBeNull();
});

test("another field that somebody else changed is theirs, and no conflict", () => {
  const draft = withField(null, stored(1), "name", "Sales notes");
  const now = stored(2, { description: "Weekly" });
  expect(conflicts(draft, valueOf(now))).toEqual([]);
  expect(draft && updateOf(draft, now.version)).toEqual({ version: 2, name: "Sales notes" });
});

test("the same field changed otherwise is a conflict, until it is taken or typed alike", () => {
  const draft = withField(null, stored(1), "name", "Mine");
  const now = stored(2, { name: "Theirs" });
  expect(conflicts(draft, valueOf(now))).toEqual(["name"]);
  expect(conflicts(withField(draft, now, "name", "Theirs"), valueOf(now))).toEqual([]);
});

test("the draft remembers what it was typed over, also after more was typed", () => {
  const draft = withField(null, stored(1), "name", "Mine");
  const now = stored(2, { name: "Theirs" });
  const more = withField(draft, now, "description", "Daily");
  expect(more?.version).toBe(1);
  expect(conflicts(more, valueOf(now))).toEqual(["name"]);
});

test("lines left empty are none", () => {
  expect(stepBody({ ...EMPTY_STEP, corrections: ["by region", "  ", ""] }).corrections).toEqual(["by region"]);
});
