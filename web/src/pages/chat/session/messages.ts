/** The words of people, by message: the stream only names them. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Conversation } from "@/stream/conversation";
import { useOutgoing } from "@/pages/chat/composer/outbox/outbox";
import { useCaughtUp } from "@/pages/chat/session/live";
import { keys, useUserMessages } from "@/pages/chat/session/queries";

export interface UserMessage {
  text: string;
  /** Seconds since 1970, as in the stream. */
  at: number;
}

export function useMessages(sessionId: string, conversation: Conversation): Map<string, UserMessage> {
  const queries = useQueryClient();
  const said = useUserMessages(sessionId);
  const outgoing = useOutgoing(sessionId);
  // A run shows its message the moment it starts, before the server is asked for it.
  const guessed = useRef(new Map<string, UserMessage>());
  const starts = Object.values(conversation.runs);
  const known = new Set((said.data ?? []).map((message) => message.message_id));
  const unknown = starts.filter((run) => !known.has(run.messageId)).map((run) => run.messageId);
  for (const run of starts) {
    if (known.has(run.messageId) || guessed.current.has(run.messageId)) continue;
    const mine = outgoing.find((each) => each.sentAt && !each.before.includes(run.messageId));
    if (mine) guessed.current.set(run.messageId, { text: mine.text, at: run.startedAt });
  }
  const wanted = unknown.join(" ");
  const caughtUp = useCaughtUp(sessionId, conversation.lastSeq);
  const looking = !caughtUp || said.isFetching;
  const asked = useRef("");
  useEffect(() => {
    // Once for each that is missing: what a rewind took away is not there the second time either.
    if (looking || asked.current === wanted) return;
    asked.current = wanted;
    if (wanted) void queries.invalidateQueries({ queryKey: keys.messages(sessionId) });
  }, [looking, wanted, sessionId, queries]);
  return useMemo(() => {
    const texts = new Map(guessed.current);
    for (const message of said.data ?? []) {
      const at = new Date(message.created_at).getTime() / 1000;
      texts.set(message.message_id, { text: message.content, at });
    }
    return texts;
    // `wanted` stands for what was guessed above.
  }, [said.data, wanted]);
}
