/** A new sub-agent: from nothing, or from one that is there. */
import { Flex, Typography } from "antd";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useThingTitle } from "@/app/navigation/title";
import { usePreferences } from "@/app/state/preferences";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { copyOf, EMPTY_BODY, type SubAgentBody } from "@/pages/subagents/form/fields";
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
        <Create initial={{ ...EMPTY_BODY, project_id: projectId }} isNamed={false} />
      ) : (
        <Resource query={original}>
          {(found) => <Create initial={copyOf(found, how, projectId)} isNamed={how === "override"} />}
        </Resource>
      )}
    </Flex>
  );
}

function Create({ initial, isNamed }: { initial: SubAgentBody; isNamed: boolean }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { create } = useSubAgentActions();
  return (
    <SubAgentForm
      initial={initial}
      isNamed={isNamed}
      okText={t("create")}
      isSaving={create.isPending}
      error={create.error}
      save={(body) =>
        create.mutate(body, { onSuccess: (made) => void navigate(`/subagents/${encodeURIComponent(made.id)}`) })
      }
    />
  );
}
