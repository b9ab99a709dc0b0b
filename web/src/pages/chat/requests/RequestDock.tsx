/** Everything in this session that waits for a person, docked above the composer. */
import { useQueryClient } from "@tanstack/react-query";
import { Typography } from "antd";
import { Suspense, useEffect, useRef, useState } from "react";
import { useMe } from "@/api/me";
import { requestsKey } from "@/api/requests";
import { lazyPart } from "@/pages/chat/lazyPart";
import { useLiveChange } from "@/pages/chat/session/live";
import { NotifyOffer } from "@/pages/chat/requests/NotifyOffer";
import { requestTexts } from "@/pages/chat/requests/texts";
import { answeredHere } from "@/pages/chat/requests/answer/useAnswer";
import { usePersonName } from "@/pages/chat/share/usePersonName";
import { keys, useSessionRequests } from "@/pages/chat/session/queries";
import { useTexts, type Say } from "@/i18n";
import type { Conversation, RequestItem } from "@/stream/conversation";

const RequestCard = lazyPart("RequestCard", () => import("@/pages/chat/requests/RequestCard"));

interface Props {
  sessionId: string;
  conversation: Conversation;
  canAnswer: boolean;
  mine: boolean;
  forGood: boolean;
}

export function RequestDock({ sessionId, conversation, canAnswer, mine, forGood }: Props) {
  const t = useTexts(requestTexts);
  const me = useMe();
  const queries = useQueryClient();
  const { waiting } = conversation;
  const known = useSessionRequests(sessionId, waiting.length > 0);
  useLiveChange(sessionId, conversation.lastSeq, waiting.join(" "), () => {
    void queries.invalidateQueries({ queryKey: keys.requests(sessionId) });
    void queries.invalidateQueries({ queryKey: requestsKey });
  });
  const gone = useAnsweredElsewhere(conversation);
  const byMe = gone?.answer?.by === me.user_id;
  const by = usePersonName(byMe ? null : (gone?.answer?.by ?? null));
  const open = waiting.flatMap((id) => requestItem(conversation, id) ?? []);
  return (
    <div>
      <div role="status" className={gone ? "chat-dock" : ""}>
        {gone && <Typography.Text>{whatHappened(gone, by, t)}</Typography.Text>}
      </div>
      {open.length > 0 && canAnswer && <NotifyOffer />}
      <Suspense>
        {open.map((item, index) => (
          <RequestCard
            key={item.request.interrupt_id}
            request={item.request}
            sessionId={sessionId}
            canAnswer={canAnswer}
            mine={mine}
            forGood={forGood}
            deadline={
              known.data?.find((each) => each.interrupt_id === item.request.interrupt_id)
                ?.deadline_at ?? null
            }
            place={open.length > 1 ? t("one_of", { at: index + 1, all: open.length }) : null}
          />
        ))}
      </Suspense>
    </div>
  );
}

function requestItem(conversation: Conversation, id: string): RequestItem | undefined {
  const found = conversation.items.findLast(
    (item) => item.kind === "request" && item.request.interrupt_id === id,
  );
  return found?.kind === "request" ? found : undefined;
}

const TOLD_MS = 6000;

/** A request that another user, or the timeout, has just answered. */
function useAnsweredElsewhere(conversation: Conversation): RequestItem | null {
  const before = useRef<readonly string[]>([]);
  const [gone, setGone] = useState<RequestItem | null>(null);
  useEffect(() => {
    const left = before.current.find(
      (id) => !conversation.waiting.includes(id) && !answeredHere.has(id),
    );
    before.current = conversation.waiting;
    const item = left && requestItem(conversation, left);
    if (!item) return;
    setGone(item);
    setTimeout(() => setGone((now) => (now === item ? null : now)), TOLD_MS);
  }, [conversation.waiting]);
  return gone;
}

const DONE = ["approve", "respond", "reject", "continue", "correct", "skip"] as const;

function whatHappened(item: RequestItem, by: string, t: Say<keyof typeof requestTexts.en>): string {
  const { answer } = item;
  if (!answer || answer.superseded) return t("withdrawn");
  const { type } = answer.decision;
  const done = DONE.find((each) => each === type);
  const said = answer.decision.answer;
  const words = typeof said === "string" ? said : JSON.stringify(said ?? type);
  const what = type === "edit" ? t("edit_done") : done ? t(done) : words;
  if (!answer.by) return t("answered_expired", { what });
  return by ? t("answered_by", { user: by, what }) : t("answered_you", { what });
}
