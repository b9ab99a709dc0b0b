import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, momentOf } from "@/pages/learned/memory/detail/days";

test("a day is the same after it was a moment", () => {
  const days = fc.date({ min: new Date("1000-01-02"), max: new Date("9000-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(days, (at) => {
      expect(dayOf(momentOf(dayOf(at)) ?? "")).toBe(dayOf(at));
    }),
  );
});

test("no day and half a day are no moment", () => {
  expect([momentOf(""), momentOf(undefined), momentOf("2026-1")]).toEqual([null, null, null]);
});
