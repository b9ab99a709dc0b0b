// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterAll, expect, test, vi } from "vitest";
import { NoticeLine } from "@/pages/chat/transcript/lines/NoticeLine";
import { RequestLine } from "@/pages/chat/transcript/lines/RequestLine";
import type { NoticeItem, RequestItem } from "@/stream/conversation";

vi.hoisted(() =>
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ items: [{ user_id: "e11ce", name: "Mei" }], next: null })),
  ),
);
afterAll(() => void vi.unstubAllGlobals());

const within = (line: ReactNode) =>
  render(<QueryClientProvider client={new QueryClient()}>{line}</QueryClientProvider>);

test("who answered is said by name", async () => {
  const request = { question: null, action_requests: [{ name: "shell", args: { command: "ls" } }] };
  const answer = { by: "e11ce", decision: { type: "approve" }, superseded: false, timestamp: 0 };
  within(<RequestLine item={{ kind: "request", request, answer } as unknown as RequestItem} />);
  await screen.findByText(/by Mei/);
});

test("an answered plan is shown as it was written, not as one line of Markdown", async () => {
  const request = { question: "1. Read `orders`\n2. Write **the summary**", question_type: "plan", action_requests: [] };
  const answer = { by: null, decision: { type: "answer", answer: "Accept, go ahead" }, superseded: false, timestamp: 0 };
  within(<RequestLine item={{ kind: "request", request, answer } as unknown as RequestItem} />);
  expect(await screen.findAllByRole("listitem")).toHaveLength(2);
  expect(screen.getByText("the summary").tagName).toBe("STRONG");
  expect(document.body.textContent).not.toContain("**");
});

test("so is who changed the mode", async () => {
  const event = { event_type: "mode_changed", mode: "plan", by: "e11ce" };
  within(<NoticeLine item={{ kind: "notice", event } as unknown as NoticeItem} />);
  await screen.findByText(/by Mei/);
});

test("that nobody answered in time is said as the error of the run", async () => {
  const event = { event_type: "error", code: "APPROVAL_TIMEOUT", error: "Nobody answered within 60 s.", recoverable: false };
  within(<NoticeLine item={{ kind: "notice", event } as unknown as NoticeItem} />);
  await screen.findByText("Nobody answered within 60 s.");
});
