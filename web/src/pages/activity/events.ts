/** Of a text that came in a thousand pieces, when it began and the whole of it are enough here. */
import type { Numbered } from "@/stream/events";

export function withoutPieces(events: readonly Numbered[]): Numbered[] {
  return events.filter((event, at) => {
    if (!isPiece(event)) return true;
    const before = events[at - 1];
    return !(before && before.event_type === event.event_type && isPiece(before));
  });
}

const isPiece = (event: Numbered): boolean =>
  (event.event_type === "text" || event.event_type === "thought") && !event.is_final;
