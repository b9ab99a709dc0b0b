/** The sub-agents there are: those of the project and the tenant first, then those built in. */
import { Flex, Tag, Typography } from "antd";
import { Link } from "react-router";
import { useSubAgents, type SubAgentInfo } from "@/api/subagents";
import { AgentName } from "@/components/agents/AgentName";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatDuration, formatNumber, formatPercent } from "@/i18n/format";
import { SubAgentTags } from "@/pages/subagents/SubAgentTags";
import { texts } from "@/pages/subagents/texts";
import { useSubAgentButtons } from "@/pages/subagents/useSubAgentButtons";

export function SubAgentList() {
  const t = useTexts(texts);
  const agents = useSubAgents();
  return (
    <Resource
      query={agents}
      empty={
        <EmptyState
          title={t("empty")}
          action={
            <NextStep>
              <LinkButton to="/subagents/new" type="primary">{t("new")}</LinkButton>
            </NextStep>
          }
        >
          {t("empty_hint")}
        </EmptyState>
      }
    >
      {(all) => (
        <Flex vertical gap={20}>
          <Group title={t("own")} agents={all.filter((each) => !each.is_built_in)} none={t("own_none")} />
          <Group title={t("built_in")} agents={all.filter((each) => each.is_built_in)} />
        </Flex>
      )}
    </Resource>
  );
}

function Group({ title, agents, none }: { title: string; agents: SubAgentInfo[]; none?: string }) {
  if (agents.length === 0 && !none) return null;
  return (
    <section>
      <Typography.Title level={2} style={{ fontSize: 16 }}>
        {title}
      </Typography.Title>
      {agents.length === 0 ? (
        <Typography.Text type="secondary">{none}</Typography.Text>
      ) : (
        <Entries>
          {agents.map((agent) => (
            <SubAgentEntry key={agent.id} agent={agent} />
          ))}
        </Entries>
      )}
    </section>
  );
}

function SubAgentEntry({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const { buttons, error } = useSubAgentButtons(agent);
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <Link to={`/subagents/${encodeURIComponent(agent.id)}`}>
            <AgentName name={agent.display_name || agent.name} colour={agent.color} />
          </Link>
          {agent.display_name && agent.display_name !== agent.name && <code>{agent.name}</code>}
          <Tag>{agent.version}</Tag>
          <SubAgentTags agent={agent} />
        </Flex>
      }
      line={
        <>
          {agent.description}
          {agent.total_invocations > 0 && (
            <div>
              {t("figures", {
                count: formatNumber(agent.total_invocations),
                share: formatPercent(agent.success_rate),
                time: formatDuration(agent.avg_execution_time_ms),
              })}
            </div>
          )}
        </>
      }
      actions={buttons}
    >
      {error !== null && <ErrorNotice error={error} />}
    </Entry>
  );
}
