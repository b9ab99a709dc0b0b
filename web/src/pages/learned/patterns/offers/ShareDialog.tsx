/** Offers a pattern to another tenant, which has to accept it. */
import { App, Form, Input, Typography } from "antd";
import type { PatternInfo } from "@/api/learned/patterns";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { usePatternActions } from "@/pages/learned/patterns/queries";
import { texts } from "@/pages/learned/patterns/texts";

export function ShareDialog({ pattern, close }: { pattern: PatternInfo; close: () => void }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { share } = usePatternActions();
  return (
    <FormDialog<{ tenant_id: string }>
      title={t("share_title", { name: pattern.name })}
      okText={t("share_ok")}
      submit={async ({ tenant_id }) => {
        await share.mutateAsync({ id: pattern.id, tenant_id: tenant_id.trim() });
        void message.success(t("shared"));
      }}
      close={close}
    >
      <Typography.Paragraph type="secondary">{t("share_hint")}</Typography.Paragraph>
      <Form.Item name="tenant_id" label={t("tenant_id")} rules={[{ required: true, whitespace: true, message: t("required") }]}>
        <Input autoFocus spellCheck={false} />
      </Form.Item>
    </FormDialog>
  );
}
