/** How a sub-agent stands: offered, switched off, replaced, or without the tools it needs. */
import { Tag } from "antd";
import type { SubAgentInfo } from "@/api/subagents";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/subagents/texts";

export function SubAgentTags({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  return (
    <>
      {!agent.enabled && <Tag>{t("disabled")}</Tag>}
      {agent.is_overridden && <Tag color="orange">{t("overridden")}</Tag>}
      {!agent.available && <Tag color="orange">{t("unavailable")}</Tag>}
      {agent.hidden && <Tag>{t("hidden_tag")}</Tag>}
      {agent.project_id !== null && <Tag color="blue">{t("of_project")}</Tag>}
    </>
  );
}
