import { describe, expect, test } from "vitest";
import { withDraft, withReturned } from "@/pages/chat/composer/outbox/drafts";

describe("drafts", () => {
  test("each session keeps its own text", () => {
    const drafts = withDraft(withDraft({}, "a", "one"), "b", "two");
    expect(drafts).toEqual({ a: "one", b: "two" });
  });

  test("an empty text is no draft", () => {
    expect(withDraft({ a: "one" }, "a", "")).toEqual({});
  });

  test("the oldest make room, the one being written stays", () => {
    let drafts = {};
    for (let at = 0; at < 50; at += 1) drafts = withDraft(drafts, `s${at}`, "text");
    drafts = withDraft(drafts, "s30", "again");
    drafts = withDraft(drafts, "new", "text");
    expect(Object.keys(drafts)).toHaveLength(30);
    expect(drafts).toHaveProperty("s30", "again");
    expect(drafts).not.toHaveProperty("s0");
  });

  test("a text that comes back never replaces what was written since", () => {
    expect(withReturned("", "sent")).toBe("sent");
    expect(withReturned("  ", "sent")).toBe("sent");
    expect(withReturned("sent", "sent")).toBe("sent");
    expect(withReturned("newer", "sent")).toBe("sent\n\nnewer");
  });
});
