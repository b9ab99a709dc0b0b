/** The versions of a skill, and what changed between two of them: by default the last two. */
import { Flex, Select, Typography } from "antd";
import { useState } from "react";
import { useNames } from "@/api/members";
import type { SkillDetail } from "@/api/skills";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";
import { useVersion, useVersions, type SkillVersion } from "@/pages/skills/queries";
import { VersionDiff } from "@/pages/skills/results/VersionDiff";
import { texts } from "@/pages/skills/texts";

export function Versions({ skill }: { skill: SkillDetail }) {
  const t = useTexts(texts);
  const versions = useVersions(skill.id);
  return (
    <Resource
      query={versions}
      isEmpty={(all) => all.length < 2}
      empty={<EmptyState title={t("one_version")}>{t("one_version_hint")}</EmptyState>}
    >
      {(all) => {
        const versions = all.toSorted((a, b) => b.number - a.number);
        // A new version is compared with the one before it.
        return <Compare key={versions[0]?.number} skill={skill} versions={versions} />;
      }}
    </Resource>
  );
}

function Compare({ skill, versions }: { skill: SkillDetail; versions: readonly SkillVersion[] }) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const [before, setBefore] = useState(versions[1]?.number ?? 1);
  const [after, setAfter] = useState(versions[0]?.number ?? 1);
  const [old, now] = [useVersion(skill.id, before), useVersion(skill.id, after)];
  const options = versions.map((each) => ({
    value: each.number,
    label: t("version_of", {
      number: each.number,
      version: each.version,
      at: formatTime(each.created_at),
      who: nameOf(each.created_by),
    }),
  }));
  return (
    <Flex vertical gap={12}>
      <Flex gap={12} wrap>
        {([["from", before, setBefore], ["to", after, setAfter]] as const).map(([key, value, set]) => (
          <Flex key={key} gap={8} align="center" style={{ flex: "1 1 280px", minWidth: 0 }}>
            <Typography.Text>{t(`diff_${key}`)}</Typography.Text>
            <Select aria-label={t(`diff_${key}`)} value={value} onChange={set} options={options} style={{ flex: 1, minWidth: 0 }} />
          </Flex>
        ))}
      </Flex>
      <Resource query={old}>
        {(left) => <Resource query={now}>{(right) => <VersionDiff before={left} after={right} />}</Resource>}
      </Resource>
    </Flex>
  );
}
