/** Sends a sub-agent some work and follows it: the run is a chat like any other. */
import { SendOutlined } from "@ant-design/icons";
import { Alert, Button, Flex, Form, Input, Spin, Typography } from "antd";
import { mayWrite, useMe } from "@/api/me";
import { useMayChange } from "@/api/ownership";
import type { SubAgentInfo } from "@/api/subagents";
import { LinkButton } from "@/components/links/LinkButton";
import { Markdown } from "@/components/markdown/Markdown";
import { ForMembers } from "@/components/page/ForMembers";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { One } from "@/pages/subagents/detail/Activities";
import { statusOf } from "@/pages/subagents/detail/status";
import { useActivities, useInvoke } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

export function TryIt({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const invoke = useInvoke(agent.id);
  const writes = mayWrite(useMe());
  const mayChange = useMayChange()(agent.project_id);
  if (!writes) return <ForMembers>{null}</ForMembers>;
  return (
    <Flex vertical gap={12} style={{ maxWidth: 860 }}>
      <Typography.Text type="secondary">{t("try_hint")}</Typography.Text>
      <Form<{ message: string }> onFinish={({ message }) => invoke.mutate(message)}>
        <Form.Item name="message" rules={[{ required: true, whitespace: true, message: t("required") }]} style={{ marginBottom: 12 }}>
          <Input.TextArea
            aria-label={t("work")}
            placeholder={agent.trigger.examples?.[0] ?? t("work_example")}
            autoSize={{ minRows: 3, maxRows: 12 }}
          />
        </Form.Item>
        <Button type="primary" htmlType="submit" icon={<SendOutlined />} loading={invoke.isPending} disabled={!agent.enabled || !agent.available}>
          {t("send")}
        </Button>
      </Form>
      {!agent.enabled && (
        <Typography.Text type="secondary">{t(mayChange ? "try_disabled" : "try_disabled_ask")}</Typography.Text>
      )}
      {invoke.error && <ErrorNotice error={invoke.error} />}
      {invoke.data && <Going agentId={agent.id} sessionId={invoke.data.session_id} runId={invoke.data.run_id} />}
    </Flex>
  );
}

function Going({ agentId, sessionId, runId }: { agentId: string; sessionId: string; runId: string }) {
  const t = useTexts(texts);
  const activities = useActivities(agentId, runId);
  const own = activities.data?.find((each) => each.run_id === runId && each.parent_activity_id === null);
  const report = own?.output_data.report;
  return (
    <div role="status">
      <Alert
        type="info"
        showIcon
        title={own ? <One activity={own} /> : t("begun")}
        icon={own && statusOf(own) !== "running" ? undefined : <Spin size="small" />}
        action={<LinkButton to={`/chat/${sessionId}`}>{t("watch")}</LinkButton>}
      />
      {typeof report === "string" && (
        <section aria-label={t("result")} style={{ marginTop: 12 }}>
          <Markdown text={report} />
        </section>
      )}
    </div>
  );
}
