/** The events of a session as they come over the WebSocket (PROTOCOL: one set of events). */
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Event = Schemas["Event"];
export type EventType = Event["event_type"];
export type EventOf<T extends EventType> = Extract<Event, { event_type: T }>;
export type Json = Schemas["JsonValue"];
export type JsonObject = Record<string, Json>;

/** An event the log has numbered: `seq` is 1, 2, 3 ... in each session, without gaps. */
export type Numbered = Event & { seq: number; run_id: string };

/** The run of a sub-agent that an event belongs to; null for the agent itself, and in older logs. */
export const subagentIdOf = (event: Event): string | null => event.subagent_id ?? null;

/** What the server says that is not of the log: an answer to a ping, or that a message was refused. */
export interface Notice {
  kind: "pong" | "error";
  code: string;
  message: string;
}

/**
 * Reads what came over the line; null when it is no frame of ours. What stands around an event is
 * checked here, its fields are the server's word: both come from one build.
 */
export function readFrame(text: unknown): Numbered | Notice | null {
  const frame = parsed(text);
  if (!isObject(frame) || !isObject(frame.data) || typeof frame.event_type !== "string") return null;
  if (typeof frame.timestamp !== "number") return null;
  if (frame.seq === undefined) return notice(frame.event_type, frame.data);
  if (!Number.isSafeInteger(frame.seq) || Number(frame.seq) < 1) return null;
  return {
    ...frame.data,
    event_type: frame.event_type,
    timestamp: frame.timestamp,
    seq: frame.seq,
    run_id: typeof frame.run_id === "string" ? frame.run_id : "",
  } as Numbered;
}

export const isNotice = (frame: Numbered | Notice): frame is Notice => "kind" in frame && !("seq" in frame);

function notice(type: string, data: Record<string, unknown>): Notice | null {
  if (type !== "pong" && type !== "error") return null;
  return { kind: type, code: String(data.code ?? ""), message: String(data.error ?? "") };
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
