import fc from "fast-check";
import { expect, test } from "vitest";
import { wavesOf } from "@/pages/chat/plan/body/waves";
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

test("every step is shown once, whatever it waits for", () => {
  const anything = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }), { maxLength: 8 });
  fc.assert(
    fc.property(anything, (dependencies) => {
      const shown = numbers(wavesOf({ version: 1, steps: steps(...dependencies) })).flat();
      expect(shown.toSorted()).toEqual(dependencies.map((_, at) => at + 1));
    }),
  );
});
