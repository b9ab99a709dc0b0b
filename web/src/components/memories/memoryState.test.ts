import { expect, test } from "vitest";
import { memoryState } from "@/components/memories/memoryState";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const times = (more: object) => ({
  retired_at: null,
  expires_at: null,
  valid_from: "2026-11-01T00:00:00Z",
  valid_to: null,
  ...more,
});

test.each([
  [{}, "current"],
  [{ valid_to: "2026-11-20T12:00:00Z" }, "past"],
  [{ valid_to: "2026-12-01T00:00:00Z" }, "current"],
  [{ expires_at: "2026-11-19T00:00:00Z", valid_to: "2026-11-18T00:00:00Z" }, "expired"],
  [{ retired_at: "2026-11-19T00:00:00Z", valid_to: "2026-11-18T00:00:00Z" }, "wrong"],
  [{ valid_from: "2026-12-01T00:00:00Z" }, "future"],
  [{ valid_from: "2026-11-20T12:00:30Z" }, "current"],
])("with %j it is %s", (more, state) => {
  expect(memoryState(times(more), NOW)).toBe(state);
});
