import { ImportOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App, Button, Tooltip } from "antd";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { rawFetch, type Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { sessionTexts } from "@/pages/chat/sessions/texts";
import { keys } from "@/pages/chat/session/queries";
import { useTexts } from "@/i18n";

export function ImportButton({ onOpened }: { onOpened: () => void }) {
  const t = useTexts(sessionTexts);
  const { message } = App.useApp();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const picker = useRef<HTMLInputElement>(null);
  const take = useMutation({
    mutationFn: async (file: File) => {
      const headers = { "Content-Type": "application/zip" };
      const init = { method: "POST", headers, body: file };
      const answer = await rawFetch("/api/v1/sessions/import", init);
      return (await answer.json()) as Schemas["CopiedSession"];
    },
    onSuccess: ({ session, workspace_files }) => {
      if (workspace_files) void message.info(t("imported_files", { count: workspace_files }), 6);
      void queries.invalidateQueries({ queryKey: keys.sessions });
      void navigate(`/chat/${session.session_id}`);
      onOpened();
    },
    onError: (error) => void message.error(messageOf(error), 6),
  });
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".zip,application/zip"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) take.mutate(file);
          event.target.value = "";
        }}
      />
      <Tooltip title={t("import")}>
        <Button
          icon={<ImportOutlined />}
          aria-label={t("import")}
          loading={take.isPending}
          onClick={() => picker.current?.click()}
        />
      </Tooltip>
    </>
  );
}
