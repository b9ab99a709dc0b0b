/** One session: what happened, what waits, what to say next. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { Suspense, useEffect, useState } from "react";
import { api, dataOf } from "@/api/client";
import { messageOf } from "@/api/errors";
import { useMe } from "@/api/me";
import { useCommands } from "@/app/palette/commands";
import { Waiting } from "@/components/states/Waiting";
import { useChatActions } from "@/pages/chat/actions";
import { AssistantPicker } from "@/pages/chat/composer/pickers/AssistantPicker";
import { Composer } from "@/pages/chat/composer/Composer";
import { ComposerNotice } from "@/pages/chat/composer/ComposerNotice";
import { ModelPicker } from "@/pages/chat/composer/pickers/ModelPicker";
import { AS_USUAL, planningRequest } from "@/pages/chat/composer/pickers/planning";
import { PlanningPicker } from "@/pages/chat/composer/pickers/PlanningPicker";
import { ModeSwitch, type Mode } from "@/pages/chat/composer/pickers/ModeSwitch";
import { useOutbox, useOutgoing } from "@/pages/chat/composer/outbox/outbox";
import { Queue } from "@/pages/chat/composer/outbox/Queue";
import { useSending } from "@/pages/chat/composer/outbox/sending";
import { EmptyChat } from "@/pages/chat/empty/EmptyChat";
import { ChatHeader } from "@/pages/chat/header/ChatHeader";
import { ConnectionLine } from "@/pages/chat/header/ConnectionLine";
import { useFreshAfterRuns } from "@/pages/chat/session/live";
import { useMessages } from "@/pages/chat/session/messages";
import { lazyPart } from "@/pages/chat/lazyPart";
import { isShown } from "@/pages/chat/plan/shown";
import { keys, useSession } from "@/pages/chat/session/queries";
import { RequestDock } from "@/pages/chat/requests/RequestDock";
import { rightsIn } from "@/pages/chat/session/rights";
import { usePersonName } from "@/pages/chat/share/usePersonName";
import { chatTexts } from "@/pages/chat/texts";
import { Transcript } from "@/pages/chat/transcript/LazyTranscript";
import { useTexts } from "@/i18n";
import type { StartItem } from "@/stream/conversation";
import { follow, useFollowed } from "@/stream/store";

const PlanDock = lazyPart("PlanDock", () => import("@/pages/chat/plan/PlanDock"));

interface Props {
  sessionId: string;
  onSessions: (() => void) | null;
}

export function SessionChat({ sessionId, onSessions }: Props) {
  const t = useTexts(chatTexts);
  const me = useMe();
  const queries = useQueryClient();
  const { message } = App.useApp();
  useEffect(() => follow(sessionId), [sessionId]);
  const followed = useFollowed(sessionId);
  const { conversation, connection } = followed;
  const session = useSession(sessionId).data;
  const { mine, writes, answers, forGood } = rightsIn(session, me);
  const owner = usePersonName(mine ? null : (session?.user_id ?? null));
  const messages = useMessages(sessionId, conversation);
  const outgoing = useOutgoing(sessionId);
  const { returned, dismissReturned } = useSending(sessionId, followed);
  const [assistant, setAssistant] = useState<string | null>(null);
  // The first message brings its choice along; the session knows it only once it is taken.
  const [model, setModel] = useState(() => outgoing.find((each) => each.model)?.model ?? null);
  const [planning, setPlanning] = useState(AS_USUAL);
  const lastStart = conversation.items.findLast(
    (item): item is StartItem => item.kind === "start" && item.model !== "",
  );
  const assistantId = assistant ?? lastStart?.assistantId ?? session?.assistant_id ?? null;
  const chosen = model ?? session?.model ?? "";
  const asBefore = chosen === (session?.model ?? "") && assistantId === lastStart?.assistantId;
  const running = conversation.activeRunId !== null;
  const { plan } = conversation;
  useFreshAfterRuns(sessionId, conversation);

  const send = (text: string): boolean => {
    if (connection.kind !== "live") {
      void message.warning(t("not_connected"));
      return false;
    }
    dismissReturned();
    useOutbox.getState().put(sessionId, { text, assistantId, model, mode: null, planning: planningRequest(planning) });
    setPlanning(AS_USUAL);
    return true;
  };
  const stop = useMutation({
    mutationFn: () => {
      const params = { path: { session_id: sessionId } };
      return dataOf(api.POST("/api/v1/chat/{session_id}/cancel", { params }));
    },
    onError: (error) => void message.error(messageOf(error)),
  });
  const switchMode = useMutation({
    mutationFn: (mode: Mode) => {
      const params = { path: { session_id: sessionId } };
      return dataOf(api.PUT("/api/v1/sessions/{session_id}/mode", { params, body: { mode } }));
    },
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: keys.session(sessionId), exact: true }),
    onError: (error) => void message.error(messageOf(error)),
  });
  const actions = useChatActions({ sessionId, messages, send });
  useCommands(
    running && writes
      ? [{ id: "chat.stop", title: t("stop"), group: t("actions"), keys: "escape", run: () => stop.mutate() }]
      : [],
  );
  const gone = connection.kind === "ended" && connection.code !== "UNAUTHENTICATED";
  const mode = (conversation.lastSeq > 0 ? conversation.mode : session?.mode) ?? "ask";
  const nothing = conversation.items.length === 0 && outgoing.length === 0;
  return (
    <div className="chat-main">
      <ChatHeader
        session={session}
        conversation={conversation}
        writes={writes}
        actions={actions}
        onSessions={onSessions}
      />
      <ConnectionLine sessionId={sessionId} state={connection} />
      <div className="chat-body">
        {nothing && connection.kind === "live" && session?.last_seq === 0 ? (
          <EmptyChat writes={writes} sending={false} onAsk={send} />
        ) : (
          <Suspense fallback={<Waiting />}>
            <Transcript
              conversation={conversation}
              messages={messages}
              sessionId={sessionId}
              canAnswer={answers}
              actions={writes ? actions : undefined}
            />
          </Suspense>
        )}
      </div>
      <div className="chat-below">
        <div className="chat-docks">
          <RequestDock
            sessionId={sessionId}
            conversation={conversation}
            canAnswer={answers}
            mine={mine}
            forGood={forGood}
          />
          {plan && isShown(plan) && (
            <Suspense>
              <PlanDock
                key={plan.runId}
                sessionId={sessionId}
                conversation={conversation}
                plan={plan}
                writes={writes}
                answers={answers}
              />
            </Suspense>
          )}
          <Queue sessionId={sessionId} canWithdraw={writes} />
        </div>
        {returned && <ComposerNotice returned={returned} onClose={dismissReturned} />}
        {writes && !gone ? (
          <Composer
            draftKey={sessionId}
            assistantId={assistantId}
            projectId={session?.project_id ?? null}
            running={running}
            onSend={send}
            onStop={() => stop.mutate()}
            tools={
              <>
                <ModeSwitch
                  mode={mode}
                  pending={switchMode.isPending}
                  onChange={(wanted) => switchMode.mutate(wanted)}
                />
                <AssistantPicker value={assistantId} onChange={setAssistant} />
                <ModelPicker
                  value={chosen}
                  last={asBefore ? lastStart.model : null}
                  assistantId={assistantId}
                  projectId={session?.project_id ?? null}
                  onChange={setModel}
                />
                <PlanningPicker value={planning} onChange={setPlanning} />
              </>
            }
          />
        ) : (
          session && (
            <p className="chat-read-only">
              {mine
                ? t("viewer")
                : t(answers ? "theirs_answer" : "theirs", { user: owner })}
            </p>
          )
        )}
      </div>
    </div>
  );
}
