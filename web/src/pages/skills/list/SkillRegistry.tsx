/** Which skill a message would load, and the skills by tier. */
import { Flex, Tabs } from "antd";
import { useSearchParams } from "react-router";
import { useMayChange } from "@/api/ownership";
import { useSkills, type SkillScope } from "@/api/skills";
import { usePreferences } from "@/app/state/preferences";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { MatchBox } from "@/pages/skills/list/MatchBox";
import { Tier } from "@/pages/skills/list/Tier";
import { texts } from "@/pages/skills/texts";

const SCOPES: readonly SkillScope[] = ["system", "tenant", "project"];

export function SkillRegistry() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const skills = useSkills();
  const shown = SCOPES.find((scope) => scope === params.get("tier")) ?? "system";
  return (
    <Flex vertical gap={16}>
      <MatchBox />
      <Resource query={skills}>
        {(all) => (
          <Tabs
            activeKey={shown}
            onChange={(tier) => setParams({ tier }, { replace: true })}
            items={SCOPES.map((scope) => {
              const own = all.filter((each) => each.scope === scope);
              return {
                key: scope,
                label: t("tab", { name: t(`scope_${scope}`), count: own.length }),
                children: own.length > 0 ? <Tier skills={own} all={all} /> : <NoSkills scope={scope} />,
              };
            })}
          />
        )}
      </Resource>
    </Flex>
  );
}

function NoSkills({ scope }: { scope: SkillScope }) {
  const t = useTexts(texts);
  const mayChange = useMayChange();
  const projectId = usePreferences((state) => state.projectId);
  if (scope === "project" && projectId === null) {
    return (
      <EmptyState title={t("no_project")} action={<LinkButton to="/projects">{t("to_projects")}</LinkButton>}>
        {t("no_project_hint")}
      </EmptyState>
    );
  }
  const writes = mayChange(scope === "project" ? projectId : null);
  return (
    <EmptyState
      title={t(`empty_${scope}`)}
      action={
        <NextStep>
          {writes && <LinkButton to={`/skills/new?scope=${scope}`} type="primary">{t("new")}</LinkButton>}
        </NextStep>
      }
    >
      {t(writes ? "empty_hint" : "empty_ask")}
    </EmptyState>
  );
}
