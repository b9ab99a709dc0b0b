/** One skill: its text, files, versions and tests. */
import { Alert, Flex, Tabs, Tag, Typography } from "antd";
import { Link, useParams, useSearchParams } from "react-router";
import { useThingTitle } from "@/app/navigation/title";
import { useSkills, type SkillDetail } from "@/api/skills";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { EditSkill } from "@/pages/skills/edit/EditSkill";
import { SkillFiles } from "@/pages/skills/SkillFiles";
import { SkillTags } from "@/pages/skills/list/SkillTags";
import { useSkillButtons } from "@/pages/skills/list/useSkillButtons";
import { useSkill } from "@/pages/skills/queries";
import { SkillTest } from "@/pages/skills/results/SkillTest";
import { texts } from "@/pages/skills/texts";
import { Versions } from "@/pages/skills/results/Versions";

export function SkillPage() {
  const t = useTexts(texts);
  const { skillId = "" } = useParams();
  const skill = useSkill(skillId);
  return (
    <Flex vertical gap={12}>
      <Link to={`/skills?tier=${skill.data?.scope ?? "system"}`}>← {t("all")}</Link>
      <Resource query={skill}>{(found) => <Open skill={found} />}</Resource>
    </Flex>
  );
}

function Open({ skill }: { skill: SkillDetail }) {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const all = useSkills().data ?? [];
  useThingTitle(skill.name);
  const { buttons, error, dialog } = useSkillButtons(skill, all, true);
  return (
    <>
      <Flex justify="space-between" gap={12} wrap align="start">
        <div style={{ minWidth: 0 }}>
          <Flex gap={8} wrap align="center">
            <Typography.Title level={2} style={{ fontSize: 20, margin: 0, overflowWrap: "break-word" }}>
              {skill.name}
            </Typography.Title>
            {skill.display_name !== skill.name && <span>{skill.display_name}</span>}
            <Tag>{t(`scope_${skill.scope}`)}</Tag>
            <Tag>{skill.version}</Tag>
            <SkillTags skill={skill} all={all} />
          </Flex>
          <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0", maxWidth: 720 }}>
            {skill.description}
          </Typography.Paragraph>
        </div>
        <Flex gap={8} wrap align="center">
          {buttons}
        </Flex>
      </Flex>
      {error && <ErrorNotice error={error} />}
      {dialog}
      {skill.is_system_skill && <Alert type="info" showIcon title={t("system_note")} />}
      <Tabs
        activeKey={params.get("tab") ?? "text"}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={[
          { key: "text", label: t("text"), children: <EditSkill key={skill.id} skill={skill} /> },
          { key: "files", label: t("files", { count: skill.files.length }), children: <SkillFiles skill={skill} /> },
          { key: "test", label: t("test"), children: <SkillTest skill={skill} /> },
          ...(skill.is_system_skill ? [] : [{ key: "versions", label: t("versions"), children: <Versions skill={skill} /> }]),
        ]}
      />
    </>
  );
}
