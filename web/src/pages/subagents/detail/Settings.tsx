/** The settings of a sub-agent: a form for an own one, a list to read for one that is built in. */
import { App, Descriptions } from "antd";
import { useState } from "react";
import { useMayChange } from "@/api/ownership";
import type { SubAgentInfo } from "@/api/subagents";
import { CodeBlock } from "@/components/code/CodeBlock";
import { useTexts } from "@/i18n";
import { bodyOf } from "@/pages/subagents/form/fields";
import { SubAgentForm } from "@/pages/subagents/form/SubAgentForm";
import { useSubAgentActions } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

export function Settings({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { replace } = useSubAgentActions();
  // What is typed stays when the sub-agent changes meanwhile, by its switch for example.
  const [isTyped, setTyped] = useState(false);
  const [shown, setShown] = useState(agent);
  if (!isTyped && shown !== agent) setShown(agent);
  const writes = useMayChange()(agent.project_id) && !agent.is_built_in;
  if (!writes) return <Shown agent={agent} />;
  return (
    <SubAgentForm
      key={shown.updated_at}
      initial={bodyOf(agent)}
      typed={() => setTyped(true)}
      isNamed
      okText={t("save")}
      isSaving={replace.isPending}
      error={replace.error}
      // What is saved draws the form anew, and what a `mutate` of the old one was to do is then left out.
      save={(body) =>
        replace
          .mutateAsync({ id: agent.id, body })
          .then(() => {
            setTyped(false);
            void message.success(t("saved"));
          })
          .catch(() => undefined)
      }
    />
  );
}

function Shown({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const list = (names: string[] | null) => (names === null ? t("allow_all") : names.join(", ") || t("allow_none"));
  const figures: [string, string | number][] = [
    [t("examples"), agent.trigger.examples?.join("; ") || "–"],
    [t("keywords"), agent.trigger.keywords?.join(", ") || "–"],
    [t("model"), agent.model === "inherit" ? t("inherit") : agent.model],
    [t("tools"), list(agent.allowed_tools)],
    [t("skills"), list(agent.allowed_skills)],
    [t("servers"), list(agent.allowed_mcp_servers)],
    [t("rules"), agent.rules.map(({ action, tool, resource }) => `${t(`action_${action}`)} ${tool} ${resource}`).join("; ") || "–"],
    [t("max_iterations"), agent.max_iterations],
    [t("max_tokens"), agent.max_tokens],
    [t("temperature"), agent.temperature],
    [t("top_p"), agent.top_p ?? "–"],
  ];
  return (
    <>
      <Descriptions
        column={1}
        size="small"
        bordered
        style={{ maxWidth: 760, marginBottom: 16 }}
        items={figures.map(([label, children]) => ({ key: label, label, children }))}
      />
      <CodeBlock text={agent.system_prompt} language="markdown" />
    </>
  );
}
