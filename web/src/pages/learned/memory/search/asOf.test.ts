import fc from "fast-check";
import { expect, test } from "vitest";
import { momentAt, spanOf, stepOf, STEPS } from "@/pages/learned/memory/search/asOf";

const NOW = Date.parse("2026-11-20T12:00:00Z");

test("the right end is now, and every other step is a moment within the span", () => {
  const firsts = fc.date({ min: new Date("1990-01-01"), max: new Date(NOW + 86_400_000), noInvalidDate: true });
  fc.assert(
    fc.property(firsts, fc.integer({ min: 0, max: STEPS }), (first, step) => {
      const span = spanOf(first.toISOString(), NOW)!;
      const moment = momentAt(step, span);
      expect(moment === null).toBe(step === STEPS);
      if (moment !== null) expect(moment >= span.from && moment < span.to).toBe(true);
      expect(stepOf(moment, span)).toBe(step);
    }),
  );
});

test("what was learned a moment ago can be slid behind", () => {
  const span = spanOf(new Date(NOW - 1_000).toISOString(), NOW)!;
  expect(momentAt(0, span)).toBe(NOW - 86_400_000);
});

test("a moment before the first memory is the first step, and nothing known has no span", () => {
  expect(stepOf(0, { from: 1_000, to: 2_000 })).toBe(0);
  expect([spanOf(null, NOW), spanOf("never", NOW)]).toEqual([null, null]);
});
