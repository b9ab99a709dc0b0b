import { describe, expect, test } from "vitest";
import {
  actionOf,
  answer,
  approveAlways,
  editedArgs,
  optionsOf,
  respond,
  type HumanRequest,
} from "@/pages/chat/requests/answer/answers";
import { fieldsOf, filledIn } from "@/pages/chat/requests/kinds/formFields";

const request = (change: Partial<HumanRequest>): HumanRequest => ({
  event_type: "hitl_request",
  timestamp: 0,
  interrupt_id: "i",
  kind: "approval",
  action_requests: [],
  question: null,
  question_type: null,
  context: null,
  options: [],
  allow_multiple: false,
  required: true,
  step_number: null,
  timeout_s: null,
  ...change,
});

describe("approvals", () => {
  const asked = {
    name: "shell",
    args: { command: "git status" },
    description: "shell(git status)",
    reason: "default: shell asks",
    saves: [{ tool: "shell", resource: "git status *" }],
  };

  test("an always shows the rule it saves", () => {
    const action = actionOf(request({ action_requests: [asked] }));
    expect(action.saves).toEqual([{ tool: "shell", resource: "git status *" }]);
    expect(approveAlways()).toEqual({ type: "approve", scope: "always" });
  });

  test.each(["once_only", "always_asked", "unknown_outcome"])("%s offers no always", (flag) => {
    const action = actionOf(request({ action_requests: [{ ...asked, [flag]: true }] }));
    expect(action.saves).toEqual([]);
  });

  test("edited arguments are a JSON object or nothing", () => {
    expect(editedArgs('{"command": "ls"}')).toEqual({ command: "ls" });
    expect(editedArgs("[1]")).toBeNull();
    expect(editedArgs("null")).toBeNull();
    expect(editedArgs("{")).toBeNull();
  });

  test("a reason is sent without the blanks around it", () => {
    expect(respond(" use May \n")).toEqual({ type: "respond", message: "use May" });
  });
});

describe("questions", () => {
  test("options say what is recommended and how long it takes", () => {
    const options = [
      { label: "Exact", description: "slower", is_recommended: true, estimated_duration_ms: 9000 },
      { label: "Quick" },
    ];
    expect(optionsOf(request({ kind: "decision", options }))).toEqual([
      { label: "Exact", description: "slower", recommended: true, durationMs: 9000 },
      { label: "Quick", description: "", recommended: false, durationMs: null },
    ]);
  });

  test("one answer, several, or one's own words", () => {
    expect(answer([], " ", false)).toBeNull();
    expect(answer(["Exact"], "", false)).toEqual({ type: "answer", answer: "Exact" });
    expect(answer(["Exact"], "both", false)).toEqual({ type: "answer", answer: "both" });
    expect(answer(["Exact"], "", true)).toEqual({ type: "answer", answer: ["Exact"] });
    expect(answer(["Exact"], "more", true)).toEqual({ type: "answer", answer: ["Exact", "more"] });
  });
});

test("a server's form is made of its schema, and empty fields are left out", () => {
  const schema = {
    properties: {
      size: { type: "string", enum: ["s", "m"], enumNames: ["Small", "Medium"] },
      many: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      count: { type: "integer", title: "How many", default: 2 },
      sure: { type: "boolean" },
      note: { type: "string" },
    },
    required: ["size"],
  };
  const fields = fieldsOf(schema);
  expect(fields.map((each) => each.kind)).toEqual([
    "choice",
    "choices",
    "number",
    "boolean",
    "text",
  ]);
  expect(fields[0]?.choices[1]).toEqual({ value: "m", label: "Medium" });
  expect(fields[0]?.required).toBe(true);
  expect(fields[2]).toMatchObject({ label: "How many", initial: 2 });
  expect(filledIn({ a: "", b: null, c: 0, d: false })).toEqual({ c: 0, d: false });
});
