import { expect, test } from "vitest";
import { daysBetween, utcDay } from "@/components/charts/usageSpec";
import type { Usage } from "@/pages/usage/queries";
import { modelSpec } from "@/pages/usage/modelSpec";
import { nextPeriod, shareOf, sumOf } from "@/pages/usage/sums";

const line = (more: Partial<Usage>): Usage => ({
  name: "2030-01-01",
  calls: 1,
  input_tokens: 100,
  output_tokens: 10,
  total_tokens: 110,
  cached_read_tokens: 50,
  cached_write_tokens: 0,
  cached_share: 0.5,
  reasoning_tokens: 0,
  cost: 0.5,
  known_cost: 0.5,
  unpriced_calls: 0,
  ...more,
});

test("the cached share is of all input, not a mean of shares", () => {
  const sum = sumOf([line({}), line({ input_tokens: 300, cached_read_tokens: 0, cost: null, known_cost: 0, unpriced_calls: 1 })]);
  expect(sum).toEqual({ calls: 2, tokens: 220, cachedShare: 0.125, knownCost: 0.5, unpriced: 1 });
  expect(sumOf([]).cachedShare).toBe(0);
});

test("of two limits the nearer counts; a limit of 0 is used up", () => {
  const budget = { cost_max: 10, tokens_max: 1000, used_cost: 2, used_tokens: 900 };
  expect(shareOf(budget)).toBe(0.9);
  expect(shareOf({ ...budget, tokens_max: null })).toBe(0.2);
  expect(shareOf({ ...budget, tokens_max: 0 })).toBe(1);
});

test("the chart of models shows each with its parts; one that nobody named has a word", () => {
  const words = { title: "T", model: "Model", tokens: "t", kind: "k", cached: "c", input: "i", output: "o", unnamed: "none" };
  const spec = modelSpec([line({ name: "a:b" }), line({ name: "" })], words) as { data: { values: object[] } };
  expect(spec.data.values.slice(0, 4)).toEqual([
    { model: "a:b", kind: "c", tokens: 50 },
    { model: "a:b", kind: "i", tokens: 50 },
    { model: "a:b", kind: "o", tokens: 10 },
    { model: "none", kind: "c", tokens: 50 },
  ]);
});

test("days and months end in UTC", () => {
  const late = new Date("2030-12-31T23:30:00Z");
  expect(nextPeriod("day", late).toISOString()).toBe("2031-01-01T00:00:00.000Z");
  expect(nextPeriod("month", late).toISOString()).toBe("2031-01-01T00:00:00.000Z");
  expect(utcDay(1, late.getTime())).toBe("2030-12-30");
  expect(daysBetween("2030-02-27", "2030-03-01")).toEqual(["2030-02-27", "2030-02-28", "2030-03-01"]);
});
