/** Sends what is in the outbox while the line is live, and takes back what the server did not take. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Schemas } from "@/api/client";
import { useDrafts } from "@/pages/chat/composer/outbox/drafts";
import { foundAs, useOutbox, useOutgoing, type Outgoing, type Seen } from "@/pages/chat/composer/outbox/outbox";
import { keys, useOpenRuns, useUserMessages } from "@/pages/chat/session/queries";
import { dismissRefusal, sendTo, type Followed } from "@/stream/store";

/** Why a message is in the composer again; `unconfirmed`: nothing of it was found on the server. */
export type Returned = { kind: "refused"; code: string; message: string } | { kind: "unconfirmed" };

const LOOK_MS = 600;
const GIVE_UP_MS = 10_000;

export function useSending(sessionId: string, followed: Followed) {
  const queries = useQueryClient();
  const outgoing = useOutgoing(sessionId);
  const said = useUserMessages(sessionId);
  const openRuns = useOpenRuns(sessionId);
  const [returned, setReturned] = useState<Returned | null>(null);
  const live = followed.connection.kind === "live";
  const ready = outgoing.some((each) => each.sentAt === null);
  const unconfirmed = outgoing.some((each) => each.sentAt !== null);

  const takeBack = (message: Outgoing, why: Returned) => {
    useOutbox.getState().drop(sessionId, message.id);
    useDrafts.getState().giveBack(sessionId, message.text);
    setReturned(why);
  };

  useEffect(() => {
    if (!live || !ready || openRuns.data === undefined) return;
    const before = [
      ...Object.values(followed.conversation.runs).map((run) => run.messageId),
      ...openRuns.data.map((run) => run.message_id),
    ];
    // Read anew: an effect may run twice, a message goes once.
    for (const each of useOutbox.getState().waiting[sessionId] ?? []) {
      if (each.sentAt !== null) continue;
      const sent = sendTo(sessionId, "chat", {
        message: each.text,
        ...(each.assistantId ? { assistant_id: each.assistantId } : {}),
        ...(each.model === null ? {} : { model: each.model }),
        ...(each.mode ? { mode: each.mode } : {}),
        // Who writes here can be asked about a plan.
        planning: { ask: true, ...each.planning },
      });
      if (sent) useOutbox.getState().sent(sessionId, each.id, before);
    }
  });

  useEffect(() => {
    for (const each of outgoing) {
      const found = foundAs(each, seenIn(said.data, openRuns.data));
      if (found) useOutbox.getState().taken(sessionId, each, found);
    }
  }, [outgoing, said.data, openRuns.data, sessionId]);

  useEffect(() => {
    if (!followed.refused) return;
    const { code, message } = followed.refused;
    const refused = outgoing.find((each) => each.sentAt !== null);
    if (refused) takeBack(refused, { kind: "refused", code, message });
    else setReturned({ kind: "refused", code, message });
    dismissRefusal(sessionId);
  });

  useEffect(() => {
    if (!live || !unconfirmed) return undefined;
    const look = async () => {
      await refresh(queries, sessionId);
      for (const each of useOutbox.getState().waiting[sessionId] ?? []) {
        const old = each.sentAt !== null && Date.now() - each.sentAt > GIVE_UP_MS;
        if (old && !foundAs(each, seenNow(queries, sessionId))) {
          takeBack(each, { kind: "unconfirmed" });
        }
      }
    };
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [live, unconfirmed, sessionId, queries]);

  return { returned, dismissReturned: () => setReturned(null) };
}

const refresh = (queries: QueryClient, sessionId: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: keys.openRuns(sessionId) }),
    queries.invalidateQueries({ queryKey: keys.messages(sessionId) }),
  ]);

type Runs = readonly Schemas["RunInfo"][];
type Messages = readonly Schemas["MessageInfo"][];

function seenIn(messages: Messages = [], runs: Runs = []): Seen[] {
  return [
    ...messages.map((each) => ({ messageId: each.message_id, text: each.content, whole: true })),
    ...runs.map((run) => ({ messageId: run.message_id, text: run.queued_message, whole: false })),
  ];
}

const seenNow = (queries: QueryClient, sessionId: string): Seen[] =>
  seenIn(
    queries.getQueryData<Messages>(keys.messages(sessionId)),
    queries.getQueryData<Runs>(keys.openRuns(sessionId)),
  );
