/** What can be done with a message of a session: again, otherwise, elsewhere, undone. */
import { useQueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { useNavigate } from "react-router";
import { api, dataOf } from "@/api/client";
import { messageOf } from "@/api/errors";
import { useDrafts } from "@/pages/chat/composer/outbox/drafts";
import { useOutbox } from "@/pages/chat/composer/outbox/outbox";
import type { UserMessage } from "@/pages/chat/session/messages";
import { keys } from "@/pages/chat/session/queries";
import { chatTexts } from "@/pages/chat/texts";
import { useTexts } from "@/i18n";

export interface ChatActions {
  fork: (messageId: string) => void;
  edit: (messageId: string, text: string) => void;
  retry: (messageId: string) => void;
  rewind: (messageId: string) => void;
  forkAll: () => void;
}

const nothing = () => undefined;
/** Before there is a session there is nothing to do with it. */
export const noActions: ChatActions = {
  fork: nothing,
  edit: nothing,
  retry: nothing,
  rewind: nothing,
  forkAll: nothing,
};

interface Given {
  sessionId: string;
  messages: ReadonlyMap<string, UserMessage>;
  send: (text: string) => boolean;
}

export function useChatActions({ sessionId, messages, send }: Given): ChatActions {
  const t = useTexts(chatTexts);
  const { modal, message } = App.useApp();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const textOf = (messageId: string) => messages.get(messageId)?.text ?? "";

  const fork = async (messageId: string | null, place: (id: string) => void) => {
    try {
      const copy = await dataOf(
        api.POST("/api/v1/sessions/{session_id}/fork", {
          params: { path: { session_id: sessionId } },
          body: messageId ? { message_id: messageId } : {},
        }),
      );
      const id = copy.session.session_id;
      place(id);
      void queries.invalidateQueries({ queryKey: keys.sessions });
      void navigate(`/chat/${id}`);
    } catch (error) {
      void message.error(messageOf(error), 6);
    }
  };

  const rewind = async (messageId: string) => {
    try {
      const done = await dataOf(
        api.POST("/api/v1/sessions/{session_id}/rewind", {
          params: { path: { session_id: sessionId } },
          body: { message_id: messageId },
        }),
      );
      // What was made and is gone now is shown as gone.
      void queries.invalidateQueries({ queryKey: ["artifact", sessionId] });
      const names = (paths: readonly string[]) => paths.join(", ") || "–";
      void modal.info({
        title: t("rewound"),
        content: t("rewound_files", {
          restored: names(done.restored),
          removed: names(done.removed),
          kept: names(done.kept.map((file) => `${file.path} (${file.detail})`)),
        }),
      });
    } catch (error) {
      void message.error(messageOf(error), 6);
    }
  };

  return {
    fork: (messageId) =>
      void fork(messageId, (id) => {
        useDrafts.getState().write(id, textOf(messageId));
        void message.info(t("forked"));
      }),
    // What was changed here is asked in the copy at once.
    edit: (messageId, text) =>
      void fork(messageId, (id) =>
        useOutbox.getState().put(id, { text, assistantId: null, model: null, mode: null, planning: null }),
      ),
    retry: (messageId) => {
      const text = textOf(messageId);
      if (text && !send(text)) void message.warning(t("not_connected"));
    },
    rewind: (messageId) =>
      void modal.confirm({
        title: t("rewind_title"),
        content: t("rewind_body"),
        okText: t("rewind_do"),
        cancelText: t("cancel"),
        onOk: () => rewind(messageId),
      }),
    forkAll: () => void fork(null, () => undefined),
  };
}
