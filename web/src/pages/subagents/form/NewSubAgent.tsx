/** A new sub-agent: from nothing, or from one that is there. */
import { Flex, Typography } from "antd";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useThingTitle } from "@/app/navigation/title";
import { usePreferences } from "@/app/state/preferences";
import { useUnsaved } from "@/app/state/unsaved";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { copyOf, EMPTY_BODY, type SubAgentBody, type Typed } from "@/pages/subagents/form/fields";
import { SubAgentForm } from "@/pages/subagents/form/SubAgentForm";
import { useSubAgent, useSubAgentActions } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

export function NewSubAgent() {
  const t = useTexts(texts);
  const [params] = useSearchParams();
  useThingTitle(t("new"));
  const projectId = usePreferences((state) => state.projectId);
  const from = params.get("from") ?? "";
  const how = params.get("how") === "override" ? "override" : "copy";
  const original = useSubAgent(from);
  return (
    <Flex vertical gap={12}>
      <Link to="/subagents">← {t("all")}</Link>
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {t("new")}
      </Typography.Title>
      {from === "" ? (
        <Create key="" draftName="subagents/new" initial={{ ...EMPTY_BODY, project_id: projectId }} isNamed={false} />
      ) : (
        <Resource query={original}>
          {(found) => {
            const name = `subagents/new/${how}/${from}`;
            return <Create key={name} draftName={name} initial={copyOf(found, how, projectId)} isNamed={how === "override"} />;
          }}
        </Resource>
      )}
    </Flex>
  );
}

interface CreateProps {
  initial: SubAgentBody;
  isNamed: boolean;
  /** Which of the ways to a new one this is: each keeps what was typed. */
  draftName: string;
}

function Create({ initial, isNamed, draftName }: CreateProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { create } = useSubAgentActions();
  const { value: draft, isKept, change } = useUnsaved<Typed>(draftName);
  const [discarded, setDiscarded] = useState(0);
  const discard = () => {
    change(null);
    setDiscarded(discarded + 1);
  };
  return (
    <SubAgentForm
      key={discarded}
      initial={initial}
      draft={draft}
      typed={change}
      note={draft && <UnsavedNote isKept={isKept} isStale={false} discard={discard} />}
      isNamed={isNamed}
      okText={t("create")}
      isSaving={create.isPending}
      error={create.error}
      save={(body) =>
        create
          .mutateAsync(body)
          .then((made) => {
            change((now) => (now === draft ? null : now));
            void navigate(`/subagents/${encodeURIComponent(made.id)}`);
          })
          .catch(() => undefined)
      }
    />
  );
}
