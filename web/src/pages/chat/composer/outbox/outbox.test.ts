import { expect, test } from "vitest";
import { foundAs, type Outgoing } from "@/pages/chat/composer/outbox/outbox";

const outgoing = (change: Partial<Outgoing> = {}): Outgoing => ({
  id: 1,
  text: "How many orders?",
  assistantId: null,
  model: null,
  mode: null,
  planning: null,
  sentAt: 1,
  before: ["old"],
  ...change,
});
const whole = (messageId: string, text: string) => ({ messageId, text, whole: true });

test("a message is found by its text among those that came after it was sent", () => {
  expect(foundAs(outgoing(), [whole("new", "How many orders?")])?.messageId).toBe("new");
  expect(foundAs(outgoing(), [whole("new", "Something else")])).toBeUndefined();
});

test("the same words said before are another message", () => {
  expect(foundAs(outgoing(), [whole("old", "How many orders?")])).toBeUndefined();
});

test("in the queue its beginning is enough", () => {
  const long = "x".repeat(5000);
  const queued = { messageId: "new", text: long.slice(0, 2000), whole: false };
  expect(foundAs(outgoing({ text: long }), [queued])).toBe(queued);
});

test("a new run whose message cannot be read yet is ours once a refusal would have come", () => {
  const unread = { messageId: "new", text: null, whole: false };
  expect(foundAs(outgoing({ sentAt: 0 }), [unread], 1000)).toBeUndefined();
  expect(foundAs(outgoing({ sentAt: 0 }), [unread], 3000)).toBe(unread);
  expect(foundAs(outgoing({ sentAt: 0, before: ["new"] }), [unread], 3000)).toBeUndefined();
});

test("what was not sent is not found", () => {
  expect(foundAs(outgoing({ sentAt: null }), [whole("new", "How many orders?")])).toBeUndefined();
});
