/** Separates live events from replayed ones, which the first API responses already include. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Conversation } from "@/stream/conversation";
import { keys, useSession } from "@/pages/chat/session/queries";

/** The number that has to be reached; null while the server is being asked. */
function useKnownSeq(sessionId: string): number | null {
  const session = useSession(sessionId);
  return session.isFetching || !session.data ? null : (session.data.last_seq ?? 0);
}

export function useCaughtUp(sessionId: string, lastSeq: number): boolean {
  const known = useKnownSeq(sessionId);
  return known !== null && lastSeq >= known;
}

/** Calls `changed` when `state` is another one than before, and the replay is over. */
export function useLiveChange(sessionId: string, lastSeq: number, state: string, changed: () => void): void {
  const known = useKnownSeq(sessionId);
  const caughtUp = known !== null && lastSeq >= known;
  const before = useRef<string | null>(null);
  const last = useRef(changed);
  last.current = changed;
  useEffect(() => {
    if (!caughtUp) return;
    // Whatever came since the server was asked may not be in its answers.
    const isNews = before.current === null ? lastSeq > known : before.current !== state;
    before.current = state;
    if (isNews) last.current();
    // Not at every event: only the first time looks at the numbers.
  }, [caughtUp, state]);
}

/** A run that begins or ends changes what is queued, the list, and after the first one the title. */
export function useFreshAfterRuns(sessionId: string, { lastSeq, runs, activeRunId }: Conversation): void {
  const queries = useQueryClient();
  // A run may begin and end between two looks.
  const state = `${Object.keys(runs).length} ${activeRunId}`;
  useLiveChange(sessionId, lastSeq, state, () => {
    for (const key of [keys.openRuns(sessionId), keys.sessions, keys.busyRuns]) {
      void queries.invalidateQueries({ queryKey: key });
    }
    void queries.invalidateQueries({ queryKey: keys.session(sessionId), exact: true });
  });
}
