/** The answers a request takes, as the API reads them. Pure. */
import type { Schemas } from "@/api/client";
import type { EventOf, Json, JsonObject } from "@/stream/events";

export type HumanRequest = EventOf<"hitl_request">;
export type Decision = Schemas["AnswerBody"]["decision"];

export interface Rule {
  tool: string;
  resource: string;
}

export interface Action {
  name: string;
  args: JsonObject;
  description: string;
  reason: string;
  subagent: string | null;
  /** What an "always" would allow from now on; empty where there is none. */
  saves: readonly Rule[];
  mayHaveHappened: boolean;
}

export interface Option {
  label: string;
  description: string;
  recommended: boolean;
  durationMs: number | null;
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const object = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export function actionOf(request: HumanRequest): Action {
  const raw = (request.action_requests[0] ?? {}) as JsonObject;
  // Where only an answer to this very call counts, an "always" would say nothing.
  const once = raw.once_only === true || raw.always_asked === true || raw.unknown_outcome === true;
  const saves = !once && Array.isArray(raw.saves) ? (raw.saves as Json[]) : [];
  return {
    name: text(raw.name),
    args: object(raw.args),
    description: text(raw.description),
    reason: text(raw.reason) || (request.context ?? ""),
    subagent: text(raw.subagent) || null,
    saves: saves.map((each) => ({
      tool: text(object(each).tool),
      resource: text(object(each).resource),
    })),
    mayHaveHappened: raw.unknown_outcome === true,
  };
}

export function optionsOf(request: HumanRequest): Option[] {
  return request.options.map((raw) => ({
    label: text(raw.label),
    description: text(raw.description),
    recommended: raw.is_recommended === true,
    durationMs: typeof raw.estimated_duration_ms === "number" ? raw.estimated_duration_ms : null,
  }));
}

export const approve = (): Decision => ({ type: "approve", scope: "once" });
/** For this session, or with `save` also for later ones. */
export const approveAlways = (): Decision => ({ type: "approve", scope: "always" });
export const respond = (message: string): Decision => ({ type: "respond", message: message.trim() });
export const reject = (): Decision => ({ type: "reject" });

/** What was chosen, or the person's own words; several only where several may be. */
export function answer(chosen: readonly string[], other: string, multiple: boolean): Decision | null {
  const own = other.trim();
  const all = own ? [...chosen, own] : [...chosen];
  if (all.length === 0) return null;
  return { type: "answer", answer: multiple ? all : (own || all[0]) };
}

/** Reads typed arguments; null if they are not a JSON object. */
export function editedArgs(written: string): JsonObject | null {
  try {
    const value = JSON.parse(written) as Json;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
