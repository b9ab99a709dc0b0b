import { App, Button, Descriptions, Form, Input } from "antd";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useWords } from "@/i18n/words.texts";
import { useMyChanges } from "@/pages/settings/queries";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

export function Myself({ user }: { user: Schemas["UserInfo"] }) {
  const t = useTexts(texts);
  const word = useWords();
  const { message } = App.useApp();
  const { rename } = useMyChanges();
  const save = ({ display_name }: { display_name: string }) =>
    rename.mutate(display_name, { onSuccess: () => void message.success(t("saved")) });
  return (
    <Section title={t("you")}>
      <Descriptions
        column={1}
        style={{ marginBottom: 8 }}
        items={[
          { key: "username", label: t("username"), children: user.username ?? user.user_id },
          { key: "role", label: t("role"), children: word("role", user.role) },
        ]}
      />
      {rename.error && <ErrorNotice error={rename.error} />}
      <Form layout="vertical" initialValues={user} onFinish={save} style={{ maxWidth: 420 }}>
        <Form.Item
          name="display_name"
          label={t("display_name")}
          rules={[{ required: true, whitespace: true, message: t("required") }]}
        >
          <Input maxLength={200} autoComplete="name" />
        </Form.Item>
        <Button htmlType="submit" loading={rename.isPending}>
          {t("save")}
        </Button>
      </Form>
    </Section>
  );
}
