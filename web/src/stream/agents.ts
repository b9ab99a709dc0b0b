/** Sub-agents, skills and patterns in a conversation: one item each, changed by what comes later. Pure. */
import type { AgentItem, Item } from "@/stream/conversation";
import { subagentIdOf, type EventOf, type Numbered } from "@/stream/events";

type AgentEvent = EventOf<"subagent" | "skill" | "pattern_match">;
type Base = Pick<Item, "key" | "runId" | "at" | "subagentId">;

const BEGINS = new Set<string>(["started", "assigned", "matched"]);
const ENDS = new Set<string>(["finished", "failed", "completed", "fallback"]);

export function addAgent(items: readonly Item[], event: AgentEvent, base: Base): Item[] {
  const at = items.findLastIndex((item) => item.kind === "agent" && isSame(item, event, base));
  const known = items[at];
  if (event.event_type === "pattern_match" || known?.kind !== "agent") {
    return [...items, { ...base, kind: "agent", event, endedAt: null, spent: null }];
  }
  const endedAt = ENDS.has(event.phase) ? event.timestamp : null;
  return items.with(at, { ...known, event: merged(known.event, event), endedAt });
}

/** The end of a run does not say again why it was begun. */
function merged(known: AgentEvent, event: AgentEvent): AgentEvent {
  if (known.event_type === "skill" && event.event_type === "skill") {
    return { ...event, detail: { ...known.detail, ...event.detail } };
  }
  if (known.event_type !== "subagent" || event.event_type !== "subagent") return event;
  return {
    ...known,
    ...event,
    task: event.task || known.task,
    reason: event.reason || known.reason,
    confidence: event.confidence ?? known.confidence,
    mode: event.reason || !known.reason ? event.mode : known.mode,
  };
}

/** Whether an event goes on with what an item shows. A sub-agent's run has an id; older logs name its task. */
function isSame(item: AgentItem, event: AgentEvent, { runId, subagentId }: Base): boolean {
  const known = item.event;
  if (item.runId !== runId || known.event_type !== event.event_type) return false;
  if (event.event_type === "pattern_match" || known.event_type === "pattern_match") return false;
  if (event.event_type === "subagent" && subagentId !== null) return item.subagentId === subagentId;
  if (item.subagentId !== subagentId || item.endedAt !== null || known.name !== event.name) return false;
  return !BEGINS.has(event.phase) && taskOf(known) === taskOf(event);
}

/** Several of a name may work side by side, each at its own task. */
const taskOf = (event: EventOf<"subagent" | "skill">): string => ("task" in event ? event.task : "");

/** Adds what a turn of a sub-agent used to the sub-agent's own figures. */
export function spendOf(items: Item[], event: EventOf<"step_finish"> & Numbered): Item[] {
  const subagentId = subagentIdOf(event);
  if (subagentId === null) return items;
  return items.map((item) => {
    const isOwn = item.runId === event.run_id && item.subagentId === subagentId;
    if (!isOwn || item.kind !== "agent" || item.event.event_type !== "subagent") return item;
    const { currency } = event;
    const before = item.spent ?? { tokens: 0, cost: 0 };
    const tokens = before.tokens + (event.tokens.total_tokens ?? 0);
    const cost = before.cost === null || event.cost == null ? null : before.cost + event.cost;
    return { ...item, spent: { tokens, cost, currency } };
  });
}

/** What is still going when a run ends has ended with it. */
export const endAgents = (items: readonly Item[], runId: string, at: number): Item[] =>
  items.map((item) =>
    item.kind === "agent" && item.runId === runId && item.endedAt === null ? { ...item, endedAt: at } : item,
  );
