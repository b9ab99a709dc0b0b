import { useMutation } from "@tanstack/react-query";
import { Button, Card, Flex, Form, Input, Typography } from "antd";
import { api, dataOf } from "@/api/client";
import { appTexts } from "@/app/texts";
import { CodeLine } from "@/components/code/CodeLine";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";

interface Fields {
  username: string;
  password: string;
  tenant_id?: string;
}

export default function SignIn() {
  const t = useTexts(appTexts);
  const login = useMutation({
    mutationFn: ({ username, password, tenant_id }: Fields) =>
      dataOf(
        api.POST("/api/v1/auth/login", {
          body: { username, password, ...(tenant_id ? { tenant_id } : {}) },
        }),
      ),
    // Somebody else may have been here until now: nothing of theirs is to be seen.
    onSuccess: () => window.location.reload(),
  });
  return (
    <Flex component="main" justify="center" align="center" style={{ minHeight: "100%", padding: 16 }}>
      <Card style={{ width: 400, maxWidth: "100%" }}>
        <Typography.Title level={1} style={{ fontSize: 24, marginTop: 0 }}>
          {t("welcome")}
        </Typography.Title>
        <Form<Fields> layout="vertical" onFinish={(fields) => login.mutate(fields)}>
          <Form.Item name="username" label={t("username")} rules={[{ required: true }]}>
            <Input autoComplete="username" autoFocus />
          </Form.Item>
          <Form.Item name="password" label={t("password")} rules={[{ required: true }]}>
            <Input.Password autoComplete="current-password" />
          </Form.Item>
          <Form.Item name="tenant_id" label={t("tenant_optional")}>
            <Input autoComplete="organization" />
          </Form.Item>
          {login.error && <ErrorNotice error={login.error} />}
          <Button type="primary" htmlType="submit" block loading={login.isPending}>
            {t("sign_in")}
          </Button>
        </Form>
        <Typography.Paragraph type="secondary" style={{ margin: "16px 0 8px" }}>
          {t("sign_in_url")}
        </Typography.Paragraph>
        <CodeLine text="dataagent-server users sign-in-url" />
      </Card>
    </Flex>
  );
}
