import { expect, test } from "vitest";
import type { SubAgentInfo } from "@/api/subagents";
import { bodyOf, cleaned, copyOf, EMPTY_BODY, isSame, typedOf } from "@/pages/subagents/form/fields";

const built = { ...EMPTY_BODY, inherited: ["temperature"], temperature: 0.7, name: "coder-agent", hidden: true, enabled: false, id: "coder-agent", is_built_in: true, total_invocations: 3 } as unknown as SubAgentInfo;

test("what the server counts is not sent back", () => {
  expect(Object.keys(bodyOf(built)).sort()).toEqual(Object.keys(EMPTY_BODY).sort());
  // What it leaves to the defaults stays so.
  expect(bodyOf(built).temperature).toBeNull();
});

test("an override keeps the name and is offered; a copy stands beside the original", () => {
  expect(copyOf(built, "override", null)).toMatchObject({ name: "coder-agent", hidden: false, enabled: true });
  expect(copyOf(built, "copy", "p1")).toMatchObject({ name: "coder-agent-copy", project_id: "p1" });
});

test("an empty rule is left out, and one without a resource is for every one", () => {
  const rules = [{ action: "deny", tool: "shell", resource: "" }, { action: "ask", tool: " ", resource: "x" }] as SubAgentInfo["rules"];
  expect(cleaned({ ...EMPTY_BODY, name: " a ", rules })).toMatchObject({
    name: "a",
    rules: [{ action: "deny", tool: "shell", resource: "**" }],
  });
});

test("what is typed can be kept and laid over what is stored", () => {
  const kept = JSON.parse(JSON.stringify(typedOf({ model: undefined, name: "a" }))) as object;
  expect({ ...EMPTY_BODY, model: "openai:x", enabled: false, ...kept }).toMatchObject({ name: "a", model: null, enabled: false });
});

test("one that is switched off is not another one", () => {
  expect(isSame(EMPTY_BODY, { ...EMPTY_BODY, enabled: false })).toBe(true);
  expect(isSame(EMPTY_BODY, { ...EMPTY_BODY, color: "red" })).toBe(false);
});
