import { expect, test } from "vitest";
import { linesOf, NO_PROMPTS, readPrompts, writePrompts } from "@/pages/skills/results/prompts";

test("prompts come back as they were written", () => {
  const prompts = { should: ["sell a lantern", "卖灯笼"], should_not: ["what is the weather"] };
  expect(readPrompts(writePrompts(prompts))).toEqual(prompts);
});

test("the names others use are read too, and what is no JSON has no prompts", () => {
  const others = { should_trigger: [{ query: "a" }, "b", 3], negative: [{ prompt: "c" }] };
  expect(readPrompts(JSON.stringify(others))).toEqual({ should: ["a", "b"], should_not: ["c"] });
  expect(readPrompts("{")).toEqual(NO_PROMPTS);
  expect(readPrompts("[1]")).toEqual(NO_PROMPTS);
});

test("empty lines are no prompts", () => {
  expect(linesOf(" a \n\n  b\n")).toEqual(["a", "b"]);
});
