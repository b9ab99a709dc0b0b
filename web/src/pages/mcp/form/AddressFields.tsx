/** What a server at an address needs: where it is, what is sent along, how to sign in. */
import { Collapse, Form, Input, Select, Typography } from "antd";
import { useTexts } from "@/i18n";
import { TextsField } from "@/pages/mcp/form/ProgramFields";
import { readPairs } from "@/pages/mcp/form/reading";
import { texts } from "@/pages/mcp/texts";

const OAUTH_TEXTS = ["client_id", "authorization_endpoint", "token_endpoint"] as const;

export function AddressFields() {
  const t = useTexts(texts);
  return (
    <>
      <Form.Item name="url" label={t("url")} rules={[{ required: true, message: t("required") }]}>
        <Input type="url" placeholder="https://mcp.example/mcp" spellCheck={false} />
      </Form.Item>
      <TextsField name="headers" read={readPairs} />
      <Collapse
        size="small"
        style={{ marginBottom: 16 }}
        items={[
          {
            key: "oauth",
            label: t("oauth"),
            forceRender: true,
            children: (
              <>
                <Typography.Paragraph type="secondary">{t("oauth_hint")}</Typography.Paragraph>
                {OAUTH_TEXTS.map((name) => (
                  <Form.Item key={name} name={["oauth", name]} label={t(name)}>
                    <Input autoComplete="off" spellCheck={false} />
                  </Form.Item>
                ))}
                <Form.Item
                  name={["oauth", "client_secret"]}
                  label={t("client_secret")}
                  extra={t("secrets_kept")}
                >
                  <Input.Password autoComplete="new-password" />
                </Form.Item>
                <Form.Item name={["oauth", "scopes"]} label={t("oauth_scopes")}>
                  <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[",", " "]} />
                </Form.Item>
              </>
            ),
          },
        ]}
      />
    </>
  );
}
