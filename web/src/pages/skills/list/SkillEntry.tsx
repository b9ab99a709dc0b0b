/** One skill of a tier: what it is for, how it stands, and what can be done with it. */
import { Flex, Tag } from "antd";
import { memo } from "react";
import { Link } from "react-router";
import type { SkillInfo } from "@/api/skills";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Entry } from "@/components/tables/Entries";
import { SkillTags } from "@/pages/skills/list/SkillTags";
import { useSkillButtons } from "@/pages/skills/list/useSkillButtons";

interface Props {
  skill: SkillInfo;
  all: readonly SkillInfo[];
}

/** Drawn again only when the skills change: a list has many. */
export const SkillEntry = memo(function SkillEntry({ skill, all }: Props) {
  const { buttons, error, dialog } = useSkillButtons(skill, all);
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <Link to={`/skills/${encodeURIComponent(skill.id)}`}>{skill.name}</Link>
          {skill.display_name !== skill.name && <span style={{ fontWeight: "normal" }}>{skill.display_name}</span>}
          <Tag>{skill.version}</Tag>
          <SkillTags skill={skill} all={all} />
        </Flex>
      }
      line={skill.description}
      actions={buttons}
    >
      {error && <ErrorNotice error={error} />}
      {dialog}
    </Entry>
  );
});
