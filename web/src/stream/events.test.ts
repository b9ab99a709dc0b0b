import fc from "fast-check";
import { expect, test } from "vitest";
import { isNotice, readFrame } from "@/stream/events";

const GOOD = { event_type: "text", data: { content: "a" }, timestamp: 1.5, seq: 3, run_id: "r" };

test("an event is its data with what stands around it", () => {
  expect(readFrame(JSON.stringify(GOOD))).toEqual({
    event_type: "text",
    content: "a",
    timestamp: 1.5,
    seq: 3,
    run_id: "r",
  });
});

test("an event of no run has an empty run", () => {
  expect(readFrame(JSON.stringify({ ...GOOD, run_id: null }))).toMatchObject({ run_id: "" });
});

test("what has no number is a notice", () => {
  const data = { error: "busy", code: "SESSION_BUSY" };
  const frame = readFrame(JSON.stringify({ event_type: "error", data, timestamp: 1 }));
  expect(frame).toEqual({ kind: "error", code: "SESSION_BUSY", message: "busy" });
  expect(frame && isNotice(frame)).toBe(true);
});

test("data cannot pretend to be what stands around it", () => {
  const data = { seq: 9, kind: "pong", event_type: "done", run_id: "other" };
  const frame = readFrame(JSON.stringify({ ...GOOD, data }));
  expect(frame).toMatchObject({ seq: 3, event_type: "text", run_id: "r" });
  expect(frame && isNotice(frame)).toBe(false);
});

test.each([
  ["not JSON", "{"],
  ["a Blob", new Blob(["{}"])],
  ["nothing", undefined],
  ["null", "null"],
  ["a list", "[]"],
  ["a number", "7"],
  ["no data", JSON.stringify({ ...GOOD, data: undefined })],
  ["data that is a list", JSON.stringify({ ...GOOD, data: [] })],
  ["no type", JSON.stringify({ ...GOOD, event_type: undefined })],
  ["no time", JSON.stringify({ ...GOOD, timestamp: "now" })],
  ["a number of 0", JSON.stringify({ ...GOOD, seq: 0 })],
  ["half a number", JSON.stringify({ ...GOOD, seq: 1.5 })],
  ["a number as text", JSON.stringify({ ...GOOD, seq: "3" })],
  ["null for a number", JSON.stringify({ ...GOOD, seq: null })],
  ["an event without a number", JSON.stringify({ ...GOOD, seq: undefined })],
])("%s is no frame", (_what, text) => {
  expect(readFrame(text)).toBeNull();
});

test("nothing that comes can make the reader throw", () => {
  const anything = fc.oneof(fc.string(), fc.json(), fc.anything());
  const nearly = fc
    .record({ event_type: fc.anything(), data: fc.anything(), timestamp: fc.anything(), seq: fc.anything() })
    .map((frame) => {
      try {
        return JSON.stringify(frame);
      } catch {
        return "";
      }
    });
  fc.assert(
    fc.property(fc.oneof(anything, nearly), (data) => {
      const frame = readFrame(data);
      if (frame && !isNotice(frame)) expect(frame.seq).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
