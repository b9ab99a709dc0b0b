/** After a crash the model is called again: its text since the last safe point is void. */
import type { Item } from "@/stream/conversation";

export function discard(items: readonly Item[], runId: string, after: number): Item[] {
  return items.flatMap((item): Item[] => {
    if (item.runId !== runId) return [item];
    if (item.kind === "call") {
      return item.key > after && item.result === null ? [{ ...item, void: true }] : [item];
    }
    if (item.kind !== "text" && item.kind !== "thought") return [item];
    // All of it goes, even if only its end is void: the model will say all of it again.
    return item.lastSeq > after ? [] : [item];
  });
}
