// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismissRefusal, follow, sendTo, useStreams, type Followed } from "@/stream/store";
import { FakeSocket } from "@/stream/testing/sockets";

const server = vi.hoisted(() => {
  const known = { answer: (): Promise<Response> => Promise.resolve(Response.json({})) };
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", () => known.answer());
  return known;
});

const ID = "s 1";
let leave: () => void;

const followed = (): Followed => useStreams.getState().followed[ID] as Followed;
const text = () =>
  followed().conversation.items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  server.answer = () => Promise.resolve(Response.json({}));
  FakeSocket.forgetAll();
  leave = follow(ID);
});

afterEach(async () => {
  leave();
  await pass(3000);
  expect(FakeSocket.alive).toEqual([]);
  expect(useStreams.getState().followed).toEqual({});
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a session is read from its beginning, at the server the page came from", () => {
  const url = new URL(FakeSocket.last.url);
  expect(url.protocol).toMatch(/^wss?:$/);
  expect(url.pathname).toMatch(/\/ws\/chat\/s%201$/);
  expect(FakeSocket.last.after).toBe(0);
});

test("what comes within a frame is drawn once", async () => {
  let drawn = 0;
  const stop = useStreams.subscribe(() => (drawn += 1));
  FakeSocket.last.accept();
  drawn = 0;
  for (let seq = 1; seq <= 20; seq += 1) FakeSocket.last.piece(seq);
  await pass(17);
  stop();
  expect(drawn).toBe(1);
  expect(followed().conversation.lastSeq).toBe(20);
});

test("a replay is drawn when it pauses, and once a second while it does not", async () => {
  let drawn = 0;
  FakeSocket.last.accept();
  const stop = useStreams.subscribe(() => (drawn += 1));
  let seq = 0;
  for (let frame = 0; frame < 120; frame += 1) {
    for (let each = 0; each < 100; each += 1) FakeSocket.last.piece((seq += 1));
    await pass(17);
  }
  expect(drawn).toBeLessThanOrEqual(3);
  await pass(150);
  stop();
  expect(followed().conversation.lastSeq).toBe(seq);
});

test("a page that was hidden before its frame came is kept up to date", async () => {
  vi.stubGlobal("requestAnimationFrame", () => 1);
  FakeSocket.last.accept();
  FakeSocket.last.piece(1);
  await pass(100);
  expect(text()).toEqual(["1 "]);
});

test("a gap is not shown: the rest is asked for again from the last whole number", async () => {
  FakeSocket.last.accept();
  FakeSocket.last.piece(1);
  FakeSocket.last.piece(2);
  await pass(17);
  FakeSocket.last.piece(4);
  await pass(17);
  expect(text()).toEqual(["1 2 "]);
  await pass(300);
  expect(FakeSocket.last.after).toBe(2);
  FakeSocket.last.accept();
  [3, 4].forEach((seq) => FakeSocket.last.piece(seq));
  await pass(17);
  expect(text()).toEqual(["1 2 3 4 "]);
});

test("what still waited for its frame when the line broke is not doubled", async () => {
  FakeSocket.last.accept();
  FakeSocket.last.piece(1);
  FakeSocket.last.end();
  await pass(300);
  FakeSocket.last.accept();
  FakeSocket.last.piece(1);
  FakeSocket.last.piece(2);
  await pass(17);
  expect(text()).toEqual(["1 2 "]);
});

test("an event that nobody can show does not make the page ask ever faster", async () => {
  const complaints = vi.spyOn(console, "error").mockReturnValue();
  for (let round = 0; round < 6; round += 1) {
    FakeSocket.last.accept();
    FakeSocket.last.say({ event_type: "todo_update", data: {}, timestamp: 0, seq: 1, run_id: "r" });
    await pass(17);
    await pass(10_000);
  }
  expect(complaints).toHaveBeenCalledTimes(6);
  expect(FakeSocket.all.length).toBeLessThanOrEqual(8);
  complaints.mockRestore();
});

test("several readers share one line, which lasts a moment longer than they", async () => {
  const leaveAgain = follow(ID);
  expect(FakeSocket.all).toHaveLength(1);
  FakeSocket.last.accept();
  leave();
  leaveAgain();
  await pass(1000);
  leave = follow(ID);
  await pass(5000);
  expect(FakeSocket.alive).toHaveLength(1);
  expect(FakeSocket.all).toHaveLength(1);
});

test("what waited for its frame is forgotten with its session", async () => {
  FakeSocket.last.accept();
  leave();
  await pass(1999);
  FakeSocket.last.piece(1);
  await pass(1);
  expect(useStreams.getState().followed).toEqual({});
  leave = follow(ID);
  expect(FakeSocket.last.after).toBe(0);
});

test("a refused message stays until it is dismissed; nothing can be said to nobody", () => {
  expect(sendTo("nobody", "cancel", {})).toBe(false);
  FakeSocket.last.accept();
  expect(sendTo(ID, "chat", { message: "a" })).toBe(true);
  FakeSocket.last.say({ event_type: "error", data: { error: "no", code: "CONFLICT" }, timestamp: 0 });
  expect(followed().refused).toMatchObject({ code: "CONFLICT" });
  dismissRefusal(ID);
  expect(followed().refused).toBeNull();
});

test.each([
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
])("the API's %i says why a line is refused", async (status, code) => {
  const body = { error_code: code, message: "", details: null, request_id: "" };
  server.answer = () => Promise.resolve(Response.json(body, { status }));
  FakeSocket.last.end();
  await pass(10);
  expect(followed().connection).toEqual({ kind: "ended", code });
});

test("a server that is away is waited for", async () => {
  server.answer = () => Promise.reject(new TypeError("no network"));
  FakeSocket.last.end();
  await pass(10);
  expect(followed().connection.kind).toBe("waiting");
});
