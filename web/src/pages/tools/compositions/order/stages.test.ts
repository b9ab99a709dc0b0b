import { expect, test } from "vitest";
import { stagesOf, waysOf } from "@/pages/tools/compositions/order/stages";

test("steps beside each other are one stage", () => {
  const steps = [{}, { beside_previous: true }, {}];
  expect(stagesOf({ kind: "sequential", steps })).toEqual([[1, 2], [3]]);
  expect(stagesOf({ kind: "parallel", steps: [{}, {}] })).toEqual([[1, 2]]);
  expect(stagesOf({ kind: "conditional", steps: [{}, {}] })).toEqual([[1], [2]]);
});

test("a step of a conditional composition says where it leads, and when", () => {
  const next = [
    { when: { value: "{{previous.count}}", op: "equals", to: 0 }, step: 3 },
    { on: "failure", step: 3 },
    { step: 2 },
  ];
  expect(waysOf({ kind: "conditional", steps: [{ next }, {}, {}] }, 1)).toEqual([
    { step: 3, onFailure: false, condition: "{{previous.count}} equals 0" },
    { step: 3, onFailure: true, condition: "" },
    { step: 2, onFailure: false, condition: "" },
  ]);
});
