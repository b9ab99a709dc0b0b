/** What can be done with a session, in the list and in the header of the chat. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App, type MenuProps } from "antd";
import { useNavigate } from "react-router";
import { api, dataOf, BASE_PATH, type Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { sessionTexts } from "@/pages/chat/sessions/texts";
import { keys } from "@/pages/chat/session/queries";
import { useTexts } from "@/i18n";

type Session = Schemas["SessionInfo"];
const FORMATS = ["md", "html", "json", "bundle"] as const;

/** A download the browser does by itself: it is streamed, however long the session is. */
function download(sessionId: string, format: (typeof FORMATS)[number]): void {
  const link = document.createElement("a");
  link.href = `${BASE_PATH}/api/v1/sessions/${encodeURIComponent(sessionId)}/export?format=${format}`;
  link.download = "";
  link.click();
}

export function useExportItems(sessionId: string): NonNullable<MenuProps["items"]> {
  const t = useTexts(sessionTexts);
  return FORMATS.map((format) => ({
    key: `export ${format}`,
    label: t(`export_${format}`),
    onClick: () => download(sessionId, format),
  }));
}

export function useRename(session: Session) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (title: string) =>
      dataOf(
        api.PATCH("/api/v1/sessions/{session_id}", {
          params: { path: { session_id: session.session_id } },
          body: { title },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keys.sessions }),
        queries.invalidateQueries({ queryKey: keys.session(session.session_id) }),
      ]),
  });
}

/** Asks, then deletes; leaves the chat when it is the one that is open. */
export function useDelete(openId: string | undefined) {
  const t = useTexts(sessionTexts);
  const { modal, message } = App.useApp();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (session: Session) =>
    void modal.confirm({
      title: t("remove_title", { title: session.title ?? t("untitled") }),
      content: t("remove_body"),
      okText: t("remove"),
      okButtonProps: { danger: true },
      cancelText: t("cancel"),
      onOk: async () => {
        try {
          const params = { path: { session_id: session.session_id } };
          await api.DELETE("/api/v1/sessions/{session_id}", { params });
        } catch (error) {
          void message.error(messageOf(error));
          return;
        }
        void message.success(t("removed"));
        if (session.session_id === openId) void navigate("/chat");
        await queries.invalidateQueries({ queryKey: keys.sessions });
      },
    });
}
