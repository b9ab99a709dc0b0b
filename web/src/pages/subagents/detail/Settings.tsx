/** The settings of a sub-agent: a form for an own one, a list to read for one that is built in. */
import { App, Descriptions } from "antd";
import { useState } from "react";
import { useMayChange } from "@/api/ownership";
import type { SubAgentInfo } from "@/api/subagents";
import { useUnsaved } from "@/app/state/unsaved";
import { CodeBlock } from "@/components/code/CodeBlock";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { useTexts } from "@/i18n";
import { bodyOf, isSame, type SubAgentBody, type Typed } from "@/pages/subagents/form/fields";
import { SubAgentForm } from "@/pages/subagents/form/SubAgentForm";
import { useSubAgentActions } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

/** What is typed, and the sub-agent it was typed over. */
interface Draft {
  values: Typed;
  base: SubAgentBody;
}

export function Settings({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { replace } = useSubAgentActions();
  const { value: draft, isKept, change } = useUnsaved<Draft>(`subagents/${agent.id}`);
  // What is typed stays when the sub-agent changes meanwhile, by its switch for example.
  const [shown, setShown] = useState(agent);
  if (draft === null && shown !== agent) setShown(agent);
  const [discarded, setDiscarded] = useState(0);
  const writes = useMayChange()(agent.project_id) && !agent.is_built_in;
  if (!writes) return <Shown agent={agent} />;
  const stored = bodyOf(agent);
  const discard = () => {
    change(null);
    setDiscarded(discarded + 1);
  };
  return (
    <SubAgentForm
      key={`${shown.updated_at} ${discarded}`}
      initial={stored}
      draft={draft?.values ?? null}
      typed={(values) => change((now) => ({ values, base: now?.base ?? stored }))}
      note={draft && <UnsavedNote isKept={isKept} isStale={!isSame(draft.base, stored)} discard={discard} />}
      isNamed
      okText={t("save")}
      isSaving={replace.isPending}
      error={replace.error}
      // What is saved draws the form anew, and what a `mutate` of the old one was to do is then left out.
      save={(body) =>
        replace
          .mutateAsync({ id: agent.id, body })
          .then((saved) => {
            // What was typed meanwhile is not saved.
            change((now) => (now === draft ? null : now && { ...now, base: bodyOf(saved) }));
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
