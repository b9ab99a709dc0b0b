/** Actions that stay the same while what they call changes: rows are not drawn again for them. */
import { useMemo, useRef } from "react";
import type { TranscriptActions } from "@/pages/chat/transcript/setting";

export function useLastActions(actions: TranscriptActions): TranscriptActions {
  const last = useRef(actions);
  last.current = actions;
  const { fork, edit, retry, rewind } = actions;
  const given = [fork, edit, retry, rewind].map(Boolean).join();
  return useMemo(
    () => ({
      fork: last.current.fork && ((id) => last.current.fork?.(id)),
      edit: last.current.edit && ((id, text) => last.current.edit?.(id, text)),
      retry: last.current.retry && ((id) => last.current.retry?.(id)),
      rewind: last.current.rewind && ((id) => last.current.rewind?.(id)),
    }),
    // Which ones there are decides which buttons are shown.
    [given],
  );
}
