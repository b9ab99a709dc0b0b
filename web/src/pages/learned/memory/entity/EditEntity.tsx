/** Changes what an entity is called, what it is, and what is said of it in short. */
import { App, Button, Form, Input } from "antd";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useEntityActions } from "@/pages/learned/memory/graph/queries";
import { texts } from "@/pages/learned/memory/texts";

interface Values {
  name: string;
  type: string;
  summary: string;
}

export function EditEntity({ entity }: { entity: Schemas["EntityInfo"] }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { change } = useEntityActions(entity.id);
  const save = ({ name, type, summary }: Values) =>
    change.mutate(
      { version: entity.version, name: name.trim(), type: type.trim(), summary: summary.trim() },
      { onSuccess: () => void message.success(t("saved")) },
    );
  const required = [{ required: true, whitespace: true, message: t("required") }];
  return (
    <Form<Values>
      name="entity"
      layout="vertical"
      requiredMark="optional"
      style={{ maxWidth: 720 }}
      initialValues={{ name: entity.name, type: entity.type, summary: entity.summary }}
      onFinish={save}
    >
      <Form.Item name="name" label={t("name")} rules={required}>
        <Input />
      </Form.Item>
      <Form.Item name="type" label={t("entity_type")} rules={required}>
        <Input />
      </Form.Item>
      <Form.Item name="summary" label={t("summary")}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} />
      </Form.Item>
      {change.error && <ErrorNotice error={change.error} />}
      <Button type="primary" htmlType="submit" loading={change.isPending}>
        {t("save")}
      </Button>
    </Form>
  );
}
