/** The router (S2's dashboard): for one message who was considered, with what score, and why. */
import { Alert, Button, Card, Flex, Form, Input, Tag, Typography } from "antd";
import { Link } from "react-router";
import { useSubAgents } from "@/api/subagents";
import { useThingTitle } from "@/app/navigation/title";
import { AgentName } from "@/components/agents/AgentName";
import { LinkButton } from "@/components/links/LinkButton";
import { ScoreBars } from "@/components/scores/ScoreBars";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatPercent } from "@/i18n/format";
import { useRoute, type Route } from "@/pages/subagents/router/queries";
import { texts } from "@/pages/subagents/router/texts";

export function RouterPage() {
  const t = useTexts(texts);
  const route = useRoute();
  useThingTitle(t("title"));
  return (
    <Flex vertical gap={12}>
      <Link to="/subagents">← {t("to_agents")}</Link>
      <Typography.Title level={2} style={{ fontSize: 20, margin: 0 }}>
        {t("title")}
      </Typography.Title>
      <Card>
        <Typography.Paragraph type="secondary">{t("hint")}</Typography.Paragraph>
        <Form<{ message: string }> onFinish={({ message }) => route.mutate(message)}>
          <Flex gap={8} wrap>
            <Form.Item
              name="message"
              style={{ flex: "1 1 180px", marginBottom: 0 }}
              rules={[{ required: true, whitespace: true, message: t("required") }]}
            >
              <Input aria-label={t("message")} placeholder={t("example")} />
            </Form.Item>
            <Button type="primary" htmlType="submit" loading={route.isPending}>
              {t("go")}
            </Button>
          </Flex>
        </Form>
      </Card>
      <div aria-live="polite">
        {route.error && <ErrorNotice error={route.error} />}
        {route.data && <Answer route={route.data} />}
      </div>
    </Flex>
  );
}

function Answer({ route }: { route: Route }) {
  const t = useTexts(texts);
  const said = useDataText();
  const agents = useSubAgents().data ?? [];
  const colourOf = (name: string) => agents.find((each) => each.name === name && !each.is_overridden)?.color;
  if (route.candidates.length === 0) {
    return (
      <EmptyState title={t("none")} action={<LinkButton to="/subagents" type="primary">{t("to_agents")}</LinkButton>}>
        {t("none_hint")}
      </EmptyState>
    );
  }
  const nobody = route.chosen.length === 0;
  return (
    <Flex vertical gap={16}>
      <Alert
        type={nobody ? "info" : "success"}
        showIcon
        title={nobody ? t("keeps") : t(`mode_${route.mode}`, { names: route.chosen.join(", ") })}
        description={[
          t(`by_${route.decided_by}`),
          !nobody && t("confidence", { share: formatPercent(route.confidence) }),
          said(route.reason),
        ]
          .filter(Boolean)
          .join(" ")}
      />
      <Card title={<h3 style={{ fontSize: 16, margin: 0 }}>{t("considered")}</h3>}>
        <ScoreBars
          label={t("considered")}
          scores={route.candidates.map((each) => ({
            key: each.id,
            name: (
              <Link to={`/subagents/${encodeURIComponent(each.id)}`}>
                <AgentName name={each.name} colour={colourOf(each.name)} />
              </Link>
            ),
            note: (
              <>
                {route.chosen.includes(each.name) && <Tag color="green">{t("chosen")}</Tag>}
                {each.excluded && <Tag>{t("excluded")}</Tag>}
              </>
            ),
            score: each.score,
            keyword: each.keyword_score,
            semantic: each.semantic_score,
            reason: each.excluded || each.reason,
            isFaint: !route.chosen.includes(each.name),
          }))}
        />
      </Card>
    </Flex>
  );
}
