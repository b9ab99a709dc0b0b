/** Whether a memory holds now, as it says of itself. Pure. */
import type { MemoryItem } from "@/api/learned/memories";

export type MemoryState = "current" | "wrong" | "expired" | "past" | "future";

type Times = Pick<MemoryItem, "retired_at" | "expires_at" | "valid_from" | "valid_to">;

const isOver = (at: string | null, now: number): boolean => at !== null && Date.parse(at) <= now;

export function memoryState({ retired_at, expires_at, valid_from, valid_to }: Times, now = Date.now()): MemoryState {
  if (retired_at !== null) return "wrong";
  if (isOver(expires_at, now)) return "expired";
  if (isOver(valid_to, now)) return "past";
  // The clock of this machine may be behind the server's.
  return Date.parse(valid_from) > now + AHEAD_MS ? "future" : "current";
}

const AHEAD_MS = 60_000;
