/** How a skill stands: in use, switched off, or replaced by another. */
import { Tag } from "antd";
import type { SkillInfo } from "@/api/skills";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/skills/texts";

interface Props {
  skill: SkillInfo;
  all: readonly SkillInfo[];
}

export function SkillTags({ skill, all }: Props) {
  const t = useTexts(texts);
  const by = all.find((each) => each.id === skill.override_skill_id);
  return (
    <>
      {skill.is_disabled && <Tag color="default">{t("disabled")}</Tag>}
      {skill.is_overridden && <Tag color="orange">{by ? t("overridden_by", { name: by.name, scope: t(`scope_${by.scope}`) }) : t("overridden")}</Tag>}
      {!skill.is_disabled && skill.status !== "active" && <Tag color="orange">{t(`status_${skill.status}`)}</Tag>}
      {skill.missing_tools.length > 0 && <Tag color="orange">{t("needs", { tools: skill.missing_tools.join(", ") })}</Tag>}
      {skill.always_offered && <Tag color="blue">{t("always_offered")}</Tag>}
    </>
  );
}
