import fc from "fast-check";
import { expect, test } from "vitest";
import { wavesOf } from "@/pages/chat/plan/body/waves";
import type { PlanStep } from "@/stream/conversation";
import { stepOf } from "@/stream/plans";

const steps = (...dependencies: number[][]) =>
  dependencies.map((each, at) => stepOf({ step_number: at + 1, description: "x", dependencies: each }, at + 1));
const numbers = (waves: { number: number }[][]) => waves.map((wave) => wave.map((step) => step.number));

test("steps that wait for the same ones are side by side, in the plan's order", () => {
  const made = steps([], [], [1, 2], [], [3, 4]);
  expect(numbers(wavesOf({ version: 1, steps: made }))).toEqual([[1, 2, 4], [3], [5]]);
  expect(numbers(wavesOf({ version: 1, steps: made.toReversed() }))).toEqual([[4, 2, 1], [3], [5]]);
});

test("the items of a to-do list are one after the other", () => {
  expect(numbers(wavesOf({ version: null, steps: steps([], []) }))).toEqual([[1], [2]]);
});

test("a step that began when the others of its wave were over is not beside them", () => {
  const [one, two, three, four] = steps([], [], [], []) as [PlanStep, PlanStep, PlanStep, PlanStep];
  const begun = [
    { ...one, startedAt: 1, endedAt: 5 },
    { ...two, startedAt: 1.1, endedAt: 3 },
    { ...three, startedAt: 6 },
    four,
  ];
  expect(numbers(wavesOf({ version: 1, steps: begun }))).toEqual([[1, 2], [3, 4]]);
  // One that begins while another goes on is beside it, in the plan's order.
  expect(numbers(wavesOf({ version: 1, steps: [{ ...three, startedAt: 4 }, ...begun.slice(0, 2)] }))).toEqual([[3, 1, 2]]);
});

test("a step that is left out is beside none", () => {
  const [one, two, three] = steps([], [], []) as [PlanStep, PlanStep, PlanStep];
  const made = [one, { ...two, status: "skipped" as const }, three];
  expect(numbers(wavesOf({ version: 1, steps: made }))).toEqual([[1, 3], [2]]);
});

test("every step is shown once, whatever it waits for", () => {
  const anything = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), { maxLength: 8 });
  fc.assert(
    fc.property(anything, (dependencies) => {
      const shown = numbers(wavesOf({ version: 1, steps: steps(...dependencies) })).flat();
      expect(shown.toSorted()).toEqual(dependencies.map((_, at) => at + 1));
    }),
  );
});
