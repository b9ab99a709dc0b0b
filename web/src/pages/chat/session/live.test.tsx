// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { useFreshAfterRuns } from "@/pages/chat/session/live";
import { useMessages } from "@/pages/chat/session/messages";
import { useBusySessions, useOpenRuns } from "@/pages/chat/session/queries";
import { EMPTY, type Conversation } from "@/stream/conversation";
import type { Numbered } from "@/stream/events";
import { reduce } from "@/stream/reduce";

const server = vi.hoisted(() => {
  const known = { lastSeq: 0, messages: [] as string[], asked: [] as string[] };
  const answer = (path: string) => {
    if (path.endsWith("/messages")) {
      const told = (id: string) => ({ message_id: id, role: "user", content: id, created_at: "2026-01-01T00:00:00Z" });
      return { messages: known.messages.map(told), has_more: false };
    }
    return path.endsWith("/runs") ? { items: [] } : { last_seq: known.lastSeq };
  };
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const path = new URL(url).pathname.replace("/api/v1", "");
    known.asked.push(path);
    return Promise.resolve(Response.json(answer(path)));
  });
  return known;
});
afterAll(() => void vi.unstubAllGlobals());

const ID = "s1";
const ONCE = ["/runs", "/sessions/s1", "/sessions/s1/messages", "/sessions/s1/runs"];

const begin = { message_id: "", model: "m", assistant_id: "", mode: "ask" };
const end = { reason: "completed", cancelled: false, content: "", format: "markdown", token_usage: null };

/** Each run is two events: its start and its end. */
const events = (from: number, to: number): Numbered[] =>
  Array.from({ length: to - from + 1 }, (_, at) => {
    const seq = from + at;
    const run_id = `r${Math.ceil(seq / 2)}`;
    const said = seq % 2 ? { event_type: "start", ...begin, message_id: `m of ${run_id}` } : { event_type: "done", ...end };
    return { ...said, seq, run_id, timestamp: seq } as unknown as Numbered;
  });

const turn = () => new Promise<void>((done) => void setTimeout(done));

function opened() {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: false } } });
  const use = (conversation: Conversation) => {
    useOpenRuns(ID);
    useBusySessions();
    useMessages(ID, conversation);
    useFreshAfterRuns(ID, conversation);
  };
  const shown = renderHook(use, {
    initialProps: EMPTY,
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  let now = EMPTY;
  const come = (from: number, to: number) => shown.rerender((now = reduce(now, events(from, to))));
  const settled = async (...paths: string[]) => {
    // What an answer changes is drawn in the next turn, and may ask again.
    for (let quiet = 0; quiet < 3; quiet = queries.isFetching() ? 0 : quiet + 1) await act(turn);
    expect(server.asked.sort()).toEqual(paths);
    server.asked = [];
  };
  return { come, settled };
}

beforeEach(() => {
  server.asked = [];
  server.messages = Array.from({ length: 30 }, (_, at) => `m of r${at + 1}`);
});

test("a replay of thirty runs asks nothing anew; a run that begins and one that ends do", async () => {
  server.lastSeq = 60;
  const { come, settled } = opened();
  for (let seq = 1; seq <= 60; seq += 5) come(seq, seq + 4);
  await settled(...ONCE);
  server.messages.push("m of r31");
  server.lastSeq = 61;
  come(61, 61);
  await settled(...ONCE);
  server.lastSeq = 62;
  come(62, 62);
  await settled(...ONCE.filter((path) => !path.endsWith("/messages")));
});

test("a replay that comes after the first answers asks nothing anew either", async () => {
  server.lastSeq = 60;
  const { come, settled } = opened();
  await settled(...ONCE);
  for (let seq = 1; seq <= 60; seq += 5) come(seq, seq + 4);
  await settled();
});

test("what happened between the answers and the end of the replay is asked for once", async () => {
  server.lastSeq = 58;
  const { come, settled } = opened();
  await settled(...ONCE);
  server.lastSeq = 60;
  come(1, 40);
  come(41, 60);
  await settled(...ONCE.filter((path) => !path.endsWith("/messages")));
});

test("a run that begins and ends between two looks is news", async () => {
  server.lastSeq = 2;
  const { come, settled } = opened();
  come(1, 2);
  await settled(...ONCE);
  server.lastSeq = 4;
  come(3, 4);
  await settled(...ONCE.filter((path) => !path.endsWith("/messages")));
});
