/** The sessions this page follows: one conversation each, drawn at most once a frame. */
import { create } from "zustand";
import { api, BASE_PATH, dataOf } from "@/api/client";
import { ApiError } from "@/api/errors";
import { Connection, type ConnectionState, type Ended } from "@/stream/connection";
import { EMPTY, type Conversation } from "@/stream/conversation";
import type { Notice } from "@/stream/events";
import { Flushing } from "@/stream/flushing";
import { GapError, reduce } from "@/stream/reduce";

export interface Followed {
  conversation: Conversation;
  connection: ConnectionState;
  /** The last thing the server refused on this connection, until it is dismissed. */
  refused: Notice | null;
}

interface Streams {
  followed: Readonly<Record<string, Followed>>;
}

const REFUSAL_MS = 5_000;
const NEW: Followed = { conversation: EMPTY, connection: { kind: "connecting" }, refused: null };

export const useStreams = create<Streams>()(() => ({ followed: {} }));

export const useFollowed = (sessionId: string): Followed =>
  useStreams((state) => state.followed[sessionId] ?? NEW);

interface Line {
  connection: Connection;
  flushing: Flushing;
  readers: number;
}

const open = new Map<string, Line>();

/** Follows a session until the returned function is called; several readers share one line. */
export function follow(sessionId: string): () => void {
  let line = open.get(sessionId);
  if (!line) {
    line = connect(sessionId);
    open.set(sessionId, line);
    line.connection.open();
  }
  line.readers += 1;
  const mine = line;
  return () => {
    mine.readers -= 1;
    // React mounts twice in development, and people go back and forth: wait a moment.
    setTimeout(() => {
      if (mine.readers > 0 || open.get(sessionId) !== mine) return;
      mine.connection.close();
      mine.flushing.stop();
      open.delete(sessionId);
      forget(sessionId);
    }, 2000);
  };
}

/** Says something on the session's line; false when it is down. */
export function sendTo(sessionId: string, ...message: Parameters<Connection["send"]>): boolean {
  return open.get(sessionId)?.connection.send(...message) ?? false;
}

/** Tries the line again at once. */
export function retryNow(sessionId: string): void {
  open.get(sessionId)?.connection.restart();
}

export function dismissRefusal(sessionId: string): void {
  change(sessionId, { refused: null });
}

function connect(sessionId: string): Line {
  const flushing = new Flushing((events) => {
    try {
      change(sessionId, { conversation: reduce(get(sessionId).conversation, events) });
    } catch (error) {
      if (!(error instanceof GapError)) console.error("An event could not be shown", error);
      connection.refuse();
    }
  });
  const connection = new Connection({
    url: (after) => {
      const url = new URL(`${BASE_PATH}/ws/chat/${encodeURIComponent(sessionId)}`, location.href);
      url.protocol = url.protocol.replace("http", "ws");
      url.searchParams.set("after", String(after));
      return url.href;
    },
    refusal: () => refusalOf(sessionId),
    lastSeq: () => get(sessionId).conversation.lastSeq,
    onEvent: (event) => flushing.add(event),
    onNotice: (refused) => change(sessionId, { refused }),
    onState: (state) => change(sessionId, { connection: state }),
  });
  return { connection, flushing, readers: 0 };
}

async function refusalOf(sessionId: string): Promise<Ended | null> {
  try {
    const params = { path: { session_id: sessionId } };
    const signal = AbortSignal.timeout(REFUSAL_MS);
    await dataOf(api.GET("/api/v1/sessions/{session_id}", { params, signal }));
    return null;
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 401) return { kind: "ended", code: "UNAUTHENTICATED" };
    if (status === 403) return { kind: "ended", code: "PERMISSION_DENIED" };
    if (status === 404) return { kind: "ended", code: "NOT_FOUND" };
    return null;
  }
}

const get = (sessionId: string): Followed => useStreams.getState().followed[sessionId] ?? NEW;

function change(sessionId: string, part: Partial<Followed>): void {
  useStreams.setState((state) => ({
    followed: { ...state.followed, [sessionId]: { ...(state.followed[sessionId] ?? NEW), ...part } },
  }));
}

function forget(sessionId: string): void {
  useStreams.setState((state) => {
    const { [sessionId]: _gone, ...rest } = state.followed;
    return { followed: rest };
  });
}
