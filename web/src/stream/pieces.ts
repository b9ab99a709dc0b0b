/** Text and thoughts that come in pieces: adjacent pieces are one item, the final one replaces them. */
import type { Item, TextItem, ThoughtItem } from "@/stream/conversation";
import { subagentIdOf, type EventOf } from "@/stream/events";

type PieceEvent = EventOf<"text" | "thought"> & { seq: number; run_id: string };
type Written = TextItem | ThoughtItem;
/** The agent of a run or one of its sub-agents: several may write at the same time. */
type Writer = Pick<Item, "runId" | "subagentId">;

export function addPiece(items: Item[], event: PieceEvent): void {
  const at = openIn(items, { runId: event.run_id, subagentId: subagentIdOf(event) }, event.event_type);
  const open = at === -1 ? null : (items[at] as Written);
  const next = open ?? begun(event);
  const changed = event.is_final ? ended(next, event) : longer(next, event);
  if (at === -1) items.push(changed);
  else items[at] = changed;
}

/** Text that will not be finished stays as it is: a call follows, or the run is over. */
export function close(items: Item[], writer: Writer): void {
  for (const kind of ["text", "thought"] as const) {
    const at = openIn(items, writer, kind);
    const item = items[at];
    if (item?.kind === "text" || item?.kind === "thought") items[at] = { ...item, final: true };
  }
}

/** The newest unfinished item of a kind; only what stands near the end can be unfinished. */
function openIn(items: readonly Item[], { runId, subagentId }: Writer, kind: "text" | "thought"): number {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at] as Item;
    if (item.kind === kind && item.runId === runId && item.subagentId === subagentId) return item.final ? -1 : at;
    if (item.kind === "start" && item.runId === runId) return -1;
  }
  return -1;
}

function begun(event: PieceEvent): Written {
  const base = {
    key: event.seq,
    runId: event.run_id,
    at: event.timestamp,
    subagentId: subagentIdOf(event),
    text: "",
    final: false,
    lastSeq: event.seq,
  };
  if (event.event_type === "text") return { ...base, kind: "text", figures: [], unsourced: [] };
  return { ...base, kind: "thought", level: event.level, endedAt: event.timestamp };
}

function longer(item: Written, event: PieceEvent): Written {
  const rest = { text: item.text + event.content, lastSeq: event.seq };
  if (item.kind === "thought") return { ...item, ...rest, endedAt: event.timestamp };
  return { ...item, ...rest };
}

function ended(item: Written, event: PieceEvent): Written {
  const rest = { text: event.content, final: true, lastSeq: event.seq };
  if (item.kind === "thought") return { ...item, ...rest, endedAt: event.timestamp };
  if (event.event_type !== "text") return { ...item, ...rest };
  return { ...item, ...rest, figures: event.figures, unsourced: event.unsourced };
}
