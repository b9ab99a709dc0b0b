import { expect, test } from "vitest";
import { parentOf } from "@/pages/chat/session/parent";

test("a task knows the conversation that started it; whatever else is in the metadata is none", () => {
  expect(parentOf({ metadata: { background_task: { parent_session_id: "s 1" } } })).toBe("s%201");
  for (const background_task of [undefined, null, "s1", {}, { parent_session_id: 1 }, { parent_session_id: "" }]) {
    expect(parentOf({ metadata: { background_task } })).toBeNull();
  }
  expect(parentOf(undefined)).toBeNull();
});
