/** Explains the decision for a hypothetical call. */
import { Alert, Button, Card, Form, Input, Tag, Typography } from "antd";
import type { Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { PlaceField, ToolField } from "@/pages/permissions/fields";
import { asText, COLOURS, useExplain } from "@/pages/permissions/queries";
import { texts } from "@/pages/permissions/texts";

interface Fields {
  tool: string;
  resource?: string;
  project: string;
}

const TYPES = { allow: "success", ask: "warning", deny: "error" } as const;

export function Explain({ userId }: { userId: string }) {
  const t = useTexts(texts);
  const explain = useExplain();
  const { projectId } = usePreferences();
  const ask = ({ tool, resource = "", project }: Fields) =>
    explain.mutate({ tool, resource, user_id: userId, project_id: project || null });
  return (
    <Card style={{ marginBottom: 24 }}>
      <h2 style={{ fontSize: 18, margin: "0 0 4px" }}>{t("explain")}</h2>
      <Typography.Paragraph type="secondary">{t("explain_hint")}</Typography.Paragraph>
      <Form<Fields>
        layout="vertical"
        initialValues={{ tool: "shell", project: projectId ?? "" }}
        onFinish={ask}
        style={{ display: "flex", flexWrap: "wrap", columnGap: 12, alignItems: "end" }}
      >
        <Form.Item name="tool" label={t("tool")} rules={[{ required: true, message: t("required") }]} style={{ flex: "1 1 160px" }}>
          <ToolField />
        </Form.Item>
        <Form.Item name="resource" label={t("resource")} style={{ flex: "3 1 240px" }}>
          <Input placeholder="git push origin main" spellCheck={false} />
        </Form.Item>
        <Form.Item name="project" label={t("project")} style={{ flex: "1 1 160px" }}>
          <PlaceField />
        </Form.Item>
        <Form.Item>
          <Button type="primary" htmlType="submit" loading={explain.isPending}>
            {t("explain_go")}
          </Button>
        </Form.Item>
      </Form>
      <div aria-live="polite">
        {explain.error && <ErrorNotice error={explain.error} />}
        {explain.data && <Verdict answer={explain.data} />}
      </div>
    </Card>
  );
}

function Verdict({ answer }: { answer: Schemas["ExplainAnswer"] }) {
  const t = useTexts(texts);
  const always = answer.always.map(asText).join("; ");
  return (
    <Alert
      type={TYPES[answer.action]}
      showIcon
      title={t(`verdict_${answer.action}`)}
      description={
        <>
          <div>{t("reason", { reason: answer.reason })}</div>
          {answer.parts.length > 1 && (
            <ul style={{ margin: "8px 0", paddingLeft: 20 }}>
              {answer.parts.map((part, place) => (
                <li key={place}>
                  <Tag color={COLOURS[part.action]}>{t(part.action)}</Tag>
                  <code style={{ overflowWrap: "anywhere" }}>{part.part}</code> {part.reason}
                </li>
              ))}
            </ul>
          )}
          {answer.action === "ask" && (
            <div>{always ? t("always", { rules: always }) : t("always_none")}</div>
          )}
        </>
      }
    />
  );
}
