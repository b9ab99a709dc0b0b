/**
 * Messages on their way: from Enter until the server has shown that it took them. A WebSocket does
 * not say so by itself, so what was sent is looked for, and what is not found comes back.
 */
import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Schemas } from "@/api/client";
import { keptFor } from "@/app/state/kept";
import type { PlanningRequest } from "@/pages/chat/composer/pickers/planning";

export interface Outgoing {
  id: number;
  text: string;
  assistantId: string | null;
  /** Chosen for it and what comes after; "": the default again; null: as the session has it. */
  model: string | null;
  mode: Schemas["SessionMode"]["mode"] | null;
  /** Which loop and whether a plan; null: as usual. */
  planning: PlanningRequest | null;
  /** null while it waits for the line. */
  sentAt: number | null;
  /** The messages that were known when it was sent: it is none of these. */
  before: readonly string[];
}

export interface Seen {
  messageId: string;
  /** A run that waits before its first step has a message that cannot be read yet. */
  text: string | null;
  /** A message in the queue is shown by its beginning only. */
  whole: boolean;
}

/** A refusal comes at once: a new run that is there after this long began with our message. */
const REFUSED_BY_MS = 2000;

/** Says which of the messages seen on the server is this one. */
export function foundAs(
  outgoing: Outgoing,
  seen: readonly Seen[],
  now = Date.now(),
): Seen | undefined {
  const { sentAt, before, text } = outgoing;
  if (sentAt === null) return undefined;
  const fresh = seen.filter((each) => !before.includes(each.messageId));
  const same = (each: Seen) =>
    each.whole ? each.text?.trim() === text : each.text !== null && text.startsWith(each.text.trim());
  const unread = (each: Seen) => each.text === null && now - sentAt > REFUSED_BY_MS;
  return fresh.find(same) ?? fresh.find(unread);
}

interface Outbox {
  waiting: Readonly<Record<string, readonly Outgoing[]>>;
  /** The whole texts of messages in the queue, by message: to withdraw one loses nothing. */
  queued: Readonly<Record<string, string>>;
  put: (sessionId: string, message: Pick<Outgoing, "text" | "assistantId" | "model" | "mode" | "planning">) => void;
  sent: (sessionId: string, id: number, before: readonly string[]) => void;
  drop: (sessionId: string, id: number) => void;
  taken: (sessionId: string, message: Outgoing, as: Seen) => void;
}

const QUEUED_MAX = 20;

const NOTHING: readonly Outgoing[] = [];

export const useOutbox = create<Outbox>()(
  persist(
    (set, get) => ({
      waiting: {},
      queued: {},
      put: (sessionId, message) =>
        set(({ waiting }) => {
          const known = waiting[sessionId] ?? NOTHING;
          const added = { ...message, id: Date.now() + known.length, sentAt: null, before: [] };
          return { waiting: { ...waiting, [sessionId]: [...known, added] } };
        }),
      sent: (sessionId, id, before) =>
        set(({ waiting }) => ({
          waiting: {
            ...waiting,
            [sessionId]: (waiting[sessionId] ?? NOTHING).map((each) =>
              each.id === id ? { ...each, sentAt: Date.now(), before } : each,
            ),
          },
        })),
      drop: (sessionId, id) =>
        set(({ waiting }) => {
          const { [sessionId]: known = NOTHING, ...rest } = waiting;
          const left = known.filter((each) => each.id !== id);
          return { waiting: left.length ? { ...rest, [sessionId]: left } : rest };
        }),
      taken: (sessionId, message, as) => {
        get().drop(sessionId, message.id);
        if (as.whole || as.text === null) return;
        const kept = Object.entries(get().queued).slice(-(QUEUED_MAX - 1));
        set({ queued: Object.fromEntries([...kept, [as.messageId, message.text]]) });
      },
    }),
    // A reload in the middle of sending loses nothing either.
    { name: "outbox", storage: keptFor(() => sessionStorage) },
  ),
);

export const useOutgoing = (sessionId: string): readonly Outgoing[] =>
  useOutbox((state) => state.waiting[sessionId] ?? NOTHING);
