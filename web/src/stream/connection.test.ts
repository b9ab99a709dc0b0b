// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Connection, type ConnectionState, type Ended } from "@/stream/connection";
import type { Notice } from "@/stream/events";
import { FakeSocket } from "@/stream/testing/sockets";

let states: ConnectionState[];
let notices: Notice[];
let seen: number[];
let refusal: Ended | null;
let connection: Connection;

const kinds = () => states.map((state) => state.kind);
const settle = () => vi.advanceTimersByTimeAsync(0);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function visibility(state: "visible" | "hidden"): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.forgetAll();
  [states, notices, seen, refusal] = [[], [], [], null];
  connection = new Connection({
    url: (after) => `ws://here/ws?after=${after}`,
    refusal: () => Promise.resolve(refusal),
    lastSeq: () => seen.at(-1) ?? 0,
    onEvent: (event) => seen.push(event.seq),
    onNotice: (notice) => notices.push(notice),
    onState: (state) => states.push(state),
  });
  connection.open();
});

afterEach(() => {
  // Whatever happened, there never were two at once, and none is left.
  expect(FakeSocket.alive.length).toBeLessThanOrEqual(1);
  connection.close();
  expect(FakeSocket.alive).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("it asks for everything first, and says when it is there", () => {
  expect(FakeSocket.last.after).toBe(0);
  FakeSocket.last.accept();
  FakeSocket.last.piece(1);
  expect(kinds()).toEqual(["connecting", "live"]);
  expect(seen).toEqual([1]);
});

test("after a loss it goes on from the last number", async () => {
  FakeSocket.last.accept();
  [1, 2, 3].forEach((seq) => FakeSocket.last.piece(seq));
  FakeSocket.last.end();
  expect(states.at(-1)).toMatchObject({ kind: "waiting", attempt: 1 });
  await pass(250);
  expect(FakeSocket.all).toHaveLength(2);
  expect(FakeSocket.last.after).toBe(3);
  FakeSocket.last.accept();
  expect(states.at(-1)).toEqual({ kind: "live" });
});

test("it waits longer each time, at most ten seconds, and says since when", async () => {
  const begun = Date.now();
  for (const delay of [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]) {
    const tried = FakeSocket.all.length;
    FakeSocket.last.end();
    expect(states.at(-1)).toMatchObject({ since: begun, retryAt: Date.now() + delay });
    await pass(delay - 1);
    expect(FakeSocket.all).toHaveLength(tried);
    await pass(1);
    expect(FakeSocket.all).toHaveLength(tried + 1);
  }
});

test("a line that has lasted is tried quickly again, one that breaks at once is not", async () => {
  for (const delay of [250, 500, 1000]) {
    FakeSocket.last.accept();
    await pass(100);
    FakeSocket.last.end();
    expect(states.at(-1)).toMatchObject({ retryAt: Date.now() + delay });
    await pass(delay);
  }
  FakeSocket.last.accept();
  await pass(5000);
  FakeSocket.last.end();
  expect(states.at(-1)).toMatchObject({ attempt: 1, retryAt: Date.now() + 250 });
});

test("a try that gets no answer is given up", async () => {
  await pass(10_000);
  expect(kinds()).toEqual(["connecting", "waiting"]);
  await pass(250);
  expect(FakeSocket.all).toHaveLength(2);
});

describe("a quiet line", () => {
  test("is asked whether it is there, and stays when it answers", async () => {
    FakeSocket.last.accept();
    await pass(20_000);
    expect(FakeSocket.last.types).toEqual(["ping"]);
    FakeSocket.last.pong();
    await pass(19_999);
    expect(FakeSocket.last.types).toEqual(["ping"]);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("that does not answer is dead", async () => {
    FakeSocket.last.accept();
    await pass(28_000);
    expect(kinds().at(-1)).toBe("waiting");
    await pass(250);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("that is not quiet is not asked", async () => {
    FakeSocket.last.accept();
    for (let seq = 1; seq <= 10; seq += 1) {
      await pass(15_000);
      FakeSocket.last.piece(seq);
    }
    expect(FakeSocket.last.types).toEqual([]);
  });
});

describe("the world outside", () => {
  test.each(["online", "pageshow"])("%s ends the wait", async (name) => {
    FakeSocket.last.accept();
    for (let loss = 0; loss < 5; loss += 1) {
      FakeSocket.last.end();
      await pass(5000);
    }
    FakeSocket.last.end();
    const tried = FakeSocket.all.length;
    window.dispatchEvent(new Event(name));
    expect(FakeSocket.all).toHaveLength(tried + 1);
    FakeSocket.last.accept();
    await pass(60);
    expect(FakeSocket.all).toHaveLength(tried + 1);
  });

  test("leaves a line that is up, and a first try, alone", () => {
    window.dispatchEvent(new Event("online"));
    visibility("visible");
    FakeSocket.last.accept();
    window.dispatchEvent(new Event("pageshow"));
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("somebody looks again: a line that only looks open is found dead", async () => {
    FakeSocket.last.accept();
    visibility("hidden");
    expect(FakeSocket.last.types).toEqual([]);
    visibility("visible");
    expect(FakeSocket.last.types).toEqual(["ping"]);
    await pass(8000);
    expect(kinds().at(-1)).toBe("waiting");
  });

  test("everything at once makes one socket", async () => {
    FakeSocket.last.end();
    window.dispatchEvent(new Event("online"));
    window.dispatchEvent(new Event("pageshow"));
    visibility("visible");
    await pass(300);
    expect(FakeSocket.alive).toHaveLength(1);
  });
});

describe("a refusal", () => {
  test.each(["UNAUTHENTICATED", "NOT_FOUND", "PERMISSION_DENIED"] as const)(
    "%s ends it: there is nothing to wait for",
    async (code) => {
      refusal = { kind: "ended", code };
      FakeSocket.last.end();
      await settle();
      expect(states.at(-1)).toEqual(refusal);
      await pass(60_000);
      expect(FakeSocket.all).toHaveLength(1);
    },
  );

  test("is asked about again when somebody comes back, without a flicker", async () => {
    refusal = { kind: "ended", code: "UNAUTHENTICATED" };
    FakeSocket.last.end();
    await settle();
    visibility("visible");
    FakeSocket.last.end();
    await settle();
    expect(kinds()).toEqual(["connecting", "waiting", "ended", "ended"]);
    await pass(60_000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("that is over is forgotten", async () => {
    refusal = { kind: "ended", code: "UNAUTHENTICATED" };
    FakeSocket.last.end();
    await settle();
    refusal = null;
    visibility("visible");
    FakeSocket.last.accept();
    expect(states.at(-1)).toEqual({ kind: "live" });
  });

  test("that comes late does not end a line that is up again", async () => {
    let tell: (refusal: Ended) => void = () => undefined;
    connection.close();
    connection = new Connection({
      url: () => "ws://here",
      refusal: () => new Promise((resolve) => (tell = resolve)),
      lastSeq: () => 0,
      onEvent: () => undefined,
      onNotice: () => undefined,
      onState: (state) => states.push(state),
    });
    connection.open();
    FakeSocket.last.end();
    await pass(250);
    FakeSocket.last.accept();
    tell({ kind: "ended", code: "NOT_FOUND" });
    await settle();
    expect(states.at(-1)).toEqual({ kind: "live" });
  });
});

describe("what cannot be read", () => {
  test("is hung up on and asked for again, ever more slowly", async () => {
    for (const delay of [250, 500, 1000, 2000]) {
      FakeSocket.last.accept();
      FakeSocket.last.piece(1);
      FakeSocket.last.say("no frame");
      expect(states.at(-1)).toMatchObject({ kind: "waiting", retryAt: Date.now() + delay });
      await pass(delay);
      expect(FakeSocket.last.after).toBe(1);
    }
    expect(FakeSocket.all).toHaveLength(5);
  });

  test("what a socket says after it was hung up on counts for nothing", () => {
    const first = FakeSocket.last;
    first.accept();
    first.say("no frame");
    first.piece(1);
    first.end();
    expect(seen).toEqual([]);
    expect(kinds()).toEqual(["connecting", "live", "waiting"]);
  });

  test("the owner may refuse what it cannot use", async () => {
    FakeSocket.last.accept();
    FakeSocket.last.piece(1);
    connection.refuse();
    await pass(250);
    expect(FakeSocket.last.after).toBe(1);
  });
});

test("a refused message is told, and the line stays", () => {
  FakeSocket.last.accept();
  FakeSocket.last.say({
    event_type: "error",
    data: { error: "a run is under way", code: "SESSION_BUSY" },
    timestamp: 0,
  });
  expect(notices).toEqual([{ kind: "error", code: "SESSION_BUSY", message: "a run is under way" }]);
  expect(FakeSocket.alive).toHaveLength(1);
});

test("something can be said only while the line is up", () => {
  expect(connection.send("cancel", {})).toBe(false);
  FakeSocket.last.accept();
  expect(connection.send("chat", { message: "hello" })).toBe(true);
  expect(JSON.parse(FakeSocket.last.sent[0] ?? "")).toEqual({
    type: "chat",
    payload: { message: "hello" },
  });
  FakeSocket.last.end();
  expect(connection.send("cancel", {})).toBe(false);
});

test("a person who does not want to wait need not, and after the end nothing happens", async () => {
  FakeSocket.last.end();
  connection.restart();
  expect(FakeSocket.alive).toHaveLength(1);
  connection.close();
  connection.restart();
  connection.refuse();
  await pass(60_000);
  expect(FakeSocket.alive).toEqual([]);
});
