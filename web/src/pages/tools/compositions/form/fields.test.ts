import { expect, test } from "vitest";
import { bodyOf, EMPTY_STEP, EMPTY_VALUE, firstArgs, valueOf } from "@/pages/tools/compositions/form/fields";
import type { Composition } from "@/pages/tools/compositions/queries";

const STORED = {
  name: "search_and_save",
  description: "Finds and keeps",
  project_id: null,
  tools: ["web_search", "write_file"],
  execution_template: {
    kind: "sequential",
    inputs: { days: { type: "integer", minimum: 1, default: 3 }, topic: { type: "string", description: "What about" } },
    steps: [{ args: { query: "{{input.topic}}" } }, { args: { content: "x" }, beside_previous: true }],
  },
  fallback_alternatives: { web_search: ["fetch_url"] },
} as unknown as Composition;

test("what is stored comes back unchanged", () => {
  const { body, broken } = bodyOf(valueOf(STORED));
  expect(broken).toEqual([]);
  expect(body).toEqual({
    name: STORED.name,
    description: STORED.description,
    project_id: null,
    tools: STORED.tools,
    execution_template: STORED.execution_template,
    fallback_alternatives: STORED.fallback_alternatives,
  });
});

test("a text that is no JSON is named, and nothing is sent", () => {
  const steps = [{ ...EMPTY_STEP, tool: "ls" }, { ...EMPTY_STEP, tool: "grep", args: "{path}" }];
  const inputs = [{ name: "n", type: "integer", description: "", fallback: "many", rest: {} }];
  expect(bodyOf({ ...EMPTY_VALUE, inputs, steps })).toEqual({
    body: null,
    broken: [
      { field: "default", number: 1 },
      { field: "args", number: 2 },
    ],
  });
});

test("only a sequence has steps beside each other, and only a conditional one has branches", () => {
  const steps = [{ ...EMPTY_STEP, tool: "a", beside: true }, { ...EMPTY_STEP, tool: "b", beside: true }];
  const stepsOf = (kind: "sequential" | "parallel" | "conditional") =>
    bodyOf({ ...EMPTY_VALUE, kind, steps }).body?.execution_template.steps;
  expect(stepsOf("sequential")).toEqual([{ args: {} }, { args: {}, beside_previous: true }]);
  expect(stepsOf("parallel")).toEqual([{ args: {} }, { args: {} }]);
  expect(stepsOf("conditional")).toEqual([
    { args: {}, next: [] },
    { args: {}, next: [] },
  ]);
});

test("a tool that is chosen brings the arguments it needs", () => {
  const schema = { required: ["path", "pattern"] };
  expect(JSON.parse(firstArgs(schema, true))).toEqual({ path: "", pattern: "" });
  expect(JSON.parse(firstArgs(schema, false))).toEqual({ path: "{{previous}}", pattern: "" });
  expect(firstArgs(undefined, true)).toBe("{}");
});
