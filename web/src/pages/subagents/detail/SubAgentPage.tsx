/** One sub-agent: try it, what it did, how often and how well, and its settings. */
import { Alert, Flex, Tabs, Tag, Typography } from "antd";
import { Link, useParams, useSearchParams } from "react-router";
import type { SubAgentInfo } from "@/api/subagents";
import { useThingTitle } from "@/app/navigation/title";
import { AgentName } from "@/components/agents/AgentName";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { Activities } from "@/pages/subagents/detail/Activities";
import { Settings } from "@/pages/subagents/detail/Settings";
import { StatsView } from "@/pages/subagents/detail/StatsView";
import { TryIt } from "@/pages/subagents/detail/TryIt";
import { useSubAgent } from "@/pages/subagents/queries";
import { SubAgentTags } from "@/pages/subagents/SubAgentTags";
import { texts } from "@/pages/subagents/texts";
import { useSubAgentButtons } from "@/pages/subagents/useSubAgentButtons";

export function SubAgentPage() {
  const t = useTexts(texts);
  const { agentId = "" } = useParams();
  const agent = useSubAgent(agentId);
  return (
    <Flex vertical gap={12}>
      <Link to="/subagents">← {t("all")}</Link>
      <Resource query={agent}>{(found) => <Open agent={found} />}</Resource>
    </Flex>
  );
}

function Open({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const said = useDataText();
  const [params, setParams] = useSearchParams();
  const { buttons, error } = useSubAgentButtons(agent, true);
  useThingTitle(agent.name);
  return (
    <>
      <Flex justify="space-between" gap={12} wrap align="start">
        <div style={{ minWidth: 0, overflowWrap: "break-word" }}>
          <Flex gap={8} wrap align="center">
            <Typography.Title level={2} style={{ fontSize: 20, margin: 0, minWidth: 0 }}>
              <AgentName name={agent.display_name || agent.name} colour={agent.color} />
            </Typography.Title>
            {agent.display_name && agent.display_name !== agent.name && <code style={{ minWidth: 0 }}>{agent.name}</code>}
            <Tag>{agent.version}</Tag>
            {agent.is_built_in && <Tag>{t("built_in")}</Tag>}
            <SubAgentTags agent={agent} />
          </Flex>
          <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0", maxWidth: 720 }}>
            {agent.description}
          </Typography.Paragraph>
        </div>
        <Flex gap={8} wrap align="center">
          {buttons}
        </Flex>
      </Flex>
      {error !== null && <ErrorNotice error={error} />}
      {!agent.available && <Alert type="warning" showIcon title={t("unavailable_title")} description={said(agent.unavailable_reason ?? "")} />}
      {agent.warnings.map((warning) => (
        <Alert key={warning} type="info" showIcon title={said(warning)} />
      ))}
      <Tabs
        activeKey={params.get("tab") ?? "try"}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={[
          { key: "try", label: t("try"), children: <TryIt agent={agent} /> },
          { key: "activities", label: t("activities"), children: <Activities agent={agent} /> },
          { key: "stats", label: t("stats"), children: <StatsView agentId={agent.id} /> },
          { key: "settings", label: t("settings"), children: <Settings key={agent.id} agent={agent} /> },
        ]}
      />
    </>
  );
}
