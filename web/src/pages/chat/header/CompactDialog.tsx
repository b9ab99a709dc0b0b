import { useMutation } from "@tanstack/react-query";
import { App, Input, Modal, Typography } from "antd";
import { useState } from "react";
import { api, dataOf } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { headerTexts } from "@/pages/chat/header/texts";
import { useTexts } from "@/i18n";

export function CompactDialog({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const t = useTexts(headerTexts);
  const { message } = App.useApp();
  const [keep, setKeep] = useState("");
  const compact = useMutation({
    mutationFn: () => {
      const params = { path: { session_id: sessionId } };
      return dataOf(
        api.POST("/api/v1/sessions/{session_id}/compact", { params, body: { keep: keep.trim() } }),
      );
    },
    onSuccess: () => {
      void message.success(t("compact_done"));
      onClose();
    },
  });
  return (
    <Modal
      open
      title={t("compact_title")}
      okText={t("compact_do")}
      cancelText={t("cancel")}
      confirmLoading={compact.isPending}
      onOk={() => compact.mutate()}
      onCancel={onClose}
      destroyOnHidden
    >
      <Typography.Paragraph>{t("compact_body")}</Typography.Paragraph>
      <label>
        {t("compact_keep")}
        <Input value={keep} maxLength={1500} onChange={(event) => setKeep(event.target.value)} />
      </label>
      {compact.error && <ErrorNotice error={compact.error} />}
    </Modal>
  );
}
