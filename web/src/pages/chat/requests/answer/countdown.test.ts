import { expect, test } from "vitest";
import { remaining } from "@/pages/chat/requests/answer/countdown";

const now = Date.parse("2026-11-15T10:00:00Z");

test.each([
  ["2026-11-15T10:00:05Z", "0:05"],
  ["2026-11-15T10:01:05Z", "1:05"],
  ["2026-11-15T10:59:59Z", "59:59"],
  ["2026-11-16T09:59:00Z", "23 h 59 min"],
])("until %s there is %s", (deadline, shown) => {
  expect(remaining(deadline, now)).toBe(shown);
});

test("what is over has no time left", () => {
  expect(remaining("2026-11-15T10:00:00Z", now)).toBeNull();
  expect(remaining("2026-11-15T09:00:00Z", now)).toBeNull();
});
