/** What a sub-agent's card says: from the events of its run, else from the call that delegated. Pure. */
import { callStatus, type CallStatus, type Row, type Task } from "@/pages/chat/transcript/rows";
import type { CallItem } from "@/stream/conversation";
import type { EventOf } from "@/stream/events";

interface Figures {
  text: string;
  ms: number | null;
  tokens: number | null;
  cost: number | null;
  currency: string;
  reason: string;
  confidence: number | null;
}

const eventOf = ({ agent }: Task): EventOf<"subagent"> | null =>
  agent?.event.event_type === "subagent" ? agent.event : null;

/** Whether it works in a session of its own, which has its id; all that is known here is that it began. */
export const isBackground = (task: Task): boolean => eventOf(task)?.mode === "background";

export function nameOf(task: Task): string {
  return eventOf(task)?.name || String(task.call?.args.subagent_type ?? task.call?.tool ?? "");
}

export function figuresOf(task: Task): Figures {
  const event = eventOf(task);
  const spent = task.agent?.spent;
  return {
    text: String(task.call?.args.description ?? event?.task ?? ""),
    ms: event?.duration_ms ?? task.call?.result?.duration_ms ?? null,
    tokens: event?.tokens.total_tokens ?? spent?.tokens ?? null,
    cost: event?.cost ?? spent?.cost ?? null,
    currency: event?.currency ?? spent?.currency ?? "USD",
    reason: event?.reason ?? "",
    confidence: event?.confidence ?? null,
  };
}

/** Its own calls, in order; not those of sub-agents it delegated to. */
export const callsOf = (rows: readonly Row[]): CallItem[] =>
  rows.flatMap((row) => (row.kind === "calls" ? row.calls : []));

export function taskStatus(task: Task, activeRunId: string | null): CallStatus {
  const { agent, call } = task;
  const phase = eventOf(task)?.phase;
  if (phase === "failed") return "failed";
  if (phase === "finished" || isBackground(task)) return "ok";
  // A call that starts one in the background is answered long before the work is done.
  if (call && (agent === null || call.tool === "task")) return callStatus(call, activeRunId);
  return agent?.endedAt === null && agent.runId === activeRunId ? "running" : "stopped";
}
