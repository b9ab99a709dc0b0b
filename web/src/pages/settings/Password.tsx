import { App, Button, Form, Input, Typography } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useMyChanges } from "@/pages/settings/queries";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

interface Fields {
  current?: string;
  first: string;
  second: string;
}

export function Password({ hasPassword }: { hasPassword: boolean }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const [form] = Form.useForm<Fields>();
  const { setPassword } = useMyChanges();
  const save = ({ current, first }: Fields) =>
    setPassword.mutate(
      { new_password: first, current_password: current ?? null },
      {
        onSuccess: () => {
          form.resetFields();
          void message.success(t("saved"));
        },
      },
    );
  return (
    <Section title={t("password")}>
      {!hasPassword && <Typography.Paragraph>{t("no_password")}</Typography.Paragraph>}
      {setPassword.error && <ErrorNotice error={setPassword.error} />}
      <Form<Fields> form={form} layout="vertical" onFinish={save} style={{ maxWidth: 420 }}>
        {hasPassword && (
          <Form.Item
            name="current"
            label={t("current")}
            rules={[{ required: true, message: t("required") }]}
          >
            <Input.Password autoComplete="current-password" />
          </Form.Item>
        )}
        <Form.Item
          name="first"
          label={t("new")}
          extra={t("new_hint")}
          rules={[{ required: true, message: t("required") }]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="second"
          label={t("repeat")}
          dependencies={["first"]}
          rules={[
            ({ getFieldValue }) => ({
              validator: async (_, value?: string) => {
                if (value !== getFieldValue("first")) throw new Error(t("differ"));
              },
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Button htmlType="submit" loading={setPassword.isPending}>
          {t("set_password")}
        </Button>
      </Form>
    </Section>
  );
}
