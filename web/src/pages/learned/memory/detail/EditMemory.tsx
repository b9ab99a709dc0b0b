/** Changes a memory: its words, its type, until when it is kept. What was typed stays when somebody was faster. */
import { Alert, App, Button, Form, Typography } from "antd";
import { useState } from "react";
import { ApiError } from "@/api/errors";
import type { MemoryItem } from "@/api/learned/memories";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { dayOf, momentOf } from "@/pages/learned/memory/detail/days";
import { MemoryFields, type MemoryValues } from "@/pages/learned/memory/detail/MemoryFields";
import { useMemoryChanges } from "@/pages/learned/memory/queries";
import { texts } from "@/pages/learned/memory/texts";

export function EditMemory({ memory }: { memory: MemoryItem }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { change } = useMemoryChanges();
  const [form] = Form.useForm<MemoryValues>();
  // What the form was filled from; a newer one stands beside it.
  const [seen, setSeen] = useState(memory);
  const isNewer = memory.version > seen.version;
  const initial: MemoryValues = {
    content: seen.content,
    type: seen.type,
    expires: seen.expires_at ? dayOf(seen.expires_at) : "",
  };
  const save = async (values: MemoryValues) => {
    const body = {
      version: memory.version,
      ...(values.content.trim() !== seen.content && { content: values.content.trim() }),
      ...(values.type !== seen.type && { type: values.type }),
      ...(values.expires !== initial.expires && { expires_at: momentOf(values.expires) }),
    };
    const saved = await change.mutateAsync({ id: memory.id, body }).catch(() => null);
    if (!saved) return;
    setSeen(saved);
    void message.success(t("saved"));
  };
  const isConflict = change.error instanceof ApiError && change.error.status === 409;
  return (
    <section aria-label={t("edit")}>
      <Typography.Title level={3} style={{ fontSize: 16, marginTop: 0 }}>
        {t("edit")}
      </Typography.Title>
      {isNewer && <Alert type="warning" showIcon role="alert" title={t("newer", { text: memory.content })} style={{ marginBottom: 12 }} />}
      <Form form={form} name="memory" layout="vertical" requiredMark="optional" initialValues={initial} onFinish={(values) => void save(values)}>
        <MemoryFields />
        {change.error && !(isConflict && isNewer) && <ErrorNotice error={change.error} />}
        <Button type="primary" htmlType="submit" loading={change.isPending}>
          {isNewer ? t("save_over") : t("save")}
        </Button>
      </Form>
    </section>
  );
}
