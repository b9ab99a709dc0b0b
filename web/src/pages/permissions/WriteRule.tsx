import { Form, Input, Radio } from "antd";
import { usePreferences } from "@/app/state/preferences";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { PlaceField, ToolField } from "@/pages/permissions/fields";
import { ACTIONS, useRuleActions, type Action } from "@/pages/permissions/queries";
import { texts } from "@/pages/permissions/texts";

interface Fields {
  action: Action;
  tool: string;
  resource?: string;
  project: string;
}

export function WriteRule({ userId, close }: { userId: string; close: () => void }) {
  const t = useTexts(texts);
  const { write } = useRuleActions();
  const { projectId } = usePreferences();
  const submit = ({ action, tool, resource, project }: Fields) =>
    write.mutateAsync({
      action,
      tool,
      resource: resource?.trim() || "**",
      user_id: userId,
      project_id: project || null,
    });
  return (
    <FormDialog<Fields>
      title={t("add")}
      okText={t("add")}
      initialValues={{ action: "deny", project: projectId ?? "" }}
      submit={submit}
      close={close}
    >
      <Form.Item name="action" label={t("action")}>
        <Radio.Group
          vertical
          options={ACTIONS.map((action) => ({ value: action, label: t(`${action}_hint`) }))}
        />
      </Form.Item>
      <Form.Item
        name="tool"
        label={t("tool")}
        extra={t("tool_hint")}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <ToolField />
      </Form.Item>
      <Form.Item name="resource" label={t("resource")} extra={t("resource_hint")}>
        <Input placeholder="git push *" spellCheck={false} />
      </Form.Item>
      <Form.Item name="project" label={t("project")}>
        <PlaceField />
      </Form.Item>
    </FormDialog>
  );
}
