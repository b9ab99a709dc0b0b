/** A chat that has no session yet: the first message makes one. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { api, dataOf } from "@/api/client";
import { useMe } from "@/api/me";
import { usePreferences } from "@/app/state/preferences";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { noActions } from "@/pages/chat/actions";
import { AssistantPicker } from "@/pages/chat/composer/pickers/AssistantPicker";
import { Composer } from "@/pages/chat/composer/Composer";
import { NEW_CHAT, useDrafts } from "@/pages/chat/composer/outbox/drafts";
import { ModelPicker } from "@/pages/chat/composer/pickers/ModelPicker";
import { AS_USUAL, planningRequest } from "@/pages/chat/composer/pickers/planning";
import { PlanningPicker } from "@/pages/chat/composer/pickers/PlanningPicker";
import { ModeSwitch, type Mode } from "@/pages/chat/composer/pickers/ModeSwitch";
import { useOutbox } from "@/pages/chat/composer/outbox/outbox";
import { EmptyChat } from "@/pages/chat/empty/EmptyChat";
import { ChatHeader } from "@/pages/chat/header/ChatHeader";
import { keys } from "@/pages/chat/session/queries";
import { chatTexts } from "@/pages/chat/texts";
import { useTexts } from "@/i18n";
import { EMPTY } from "@/stream/conversation";

export function NewChat({ onSessions }: { onSessions: (() => void) | null }) {
  const t = useTexts(chatTexts);
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const projectId = usePreferences((state) => state.projectId);
  const [mode, setMode] = useState<Mode>("ask");
  const [assistantId, setAssistantId] = useState<string | null>(null);
  const [model, setModel] = useState<string | null>(null);
  const [planning, setPlanning] = useState(AS_USUAL);
  const [params, setParams] = useSearchParams();
  const given = params.get("text");
  useEffect(() => {
    // Other pages hand over a message; it is sent by the person.
    if (!given) return;
    useDrafts.getState().giveBack(NEW_CHAT, given);
    setParams({}, { replace: true });
  }, [given]);
  const begin = useMutation({
    mutationFn: (_text: string) =>
      dataOf(
        api.POST("/api/v1/sessions", {
          body: { project_id: projectId, assistant_id: assistantId },
        }),
      ),
    onSuccess: ({ session_id }, text) => {
      const changed = mode === "ask" ? null : mode;
      const how = planningRequest(planning);
      useOutbox.getState().put(session_id, { text, assistantId: null, model, mode: changed, planning: how });
      void queries.invalidateQueries({ queryKey: keys.sessions });
      void navigate(`/chat/${session_id}`);
    },
    onError: (_error, text) => useDrafts.getState().giveBack(NEW_CHAT, text),
  });
  const send = (text: string) => {
    if (begin.isPending) return false;
    begin.mutate(text);
    return true;
  };
  const writes = me.role !== "viewer";
  return (
    <div className="chat-main">
      <ChatHeader
        session={undefined}
        conversation={EMPTY}
        writes={writes}
        actions={noActions}
        onSessions={onSessions}
      />
      <div className="chat-body">
        <EmptyChat writes={writes} sending={begin.isPending} onAsk={send} />
      </div>
      <div className="chat-below">
        {begin.error && <ErrorNotice error={begin.error} />}
        {writes ? (
          <Composer
            draftKey={NEW_CHAT}
            assistantId={assistantId}
            projectId={projectId}
            running={false}
            onSend={send}
            onStop={() => undefined}
            tools={
              <>
                <ModeSwitch mode={mode} pending={false} onChange={setMode} />
                <AssistantPicker value={assistantId} onChange={setAssistantId} />
                <ModelPicker
                  value={model ?? ""}
                  last={null}
                  assistantId={assistantId}
                  projectId={projectId}
                  onChange={setModel}
                />
                <PlanningPicker value={planning} onChange={setPlanning} />
              </>
            }
          />
        ) : (
          <p className="chat-read-only">{t("viewer")}</p>
        )}
      </div>
    </div>
  );
}
