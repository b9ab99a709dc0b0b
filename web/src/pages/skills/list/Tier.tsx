/** The skills of one tier; of many, those that fit what is searched for. */
import { Button, Flex, Input, Typography } from "antd";
import { useState } from "react";
import type { SkillInfo } from "@/api/skills";
import { Entries } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { fitting } from "@/pages/skills/list/fitting";
import { SkillEntry } from "@/pages/skills/list/SkillEntry";
import { texts } from "@/pages/skills/texts";

/** So many are seen at a glance. */
const SEARCHED_MIN = 9;
/** So many are drawn without a wait. */
const SHOWN_MAX = 50;

export function Tier({ skills, all }: { skills: readonly SkillInfo[]; all: readonly SkillInfo[] }) {
  const t = useTexts(texts);
  const [query, setQuery] = useState("");
  const [isWhole, setWhole] = useState(false);
  const found = fitting(skills, query);
  const shown = isWhole ? found : found.slice(0, SHOWN_MAX);
  return (
    <Flex vertical gap={12}>
      {skills.length >= SEARCHED_MIN && (
        <Flex gap={12} wrap align="center">
          <Input.Search
            allowClear
            aria-label={t("search")}
            placeholder={t("search")}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            style={{ maxWidth: 320 }}
          />
          <Typography.Text type="secondary" role="status">
            {t("found", { found: formatNumber(found.length), all: formatNumber(skills.length) })}
          </Typography.Text>
        </Flex>
      )}
      {shown.length > 0 && (
        <Entries>
          {shown.map((skill) => (
            <SkillEntry key={skill.id} skill={skill} all={all} />
          ))}
        </Entries>
      )}
      {shown.length < found.length && (
        <div>
          <Button onClick={() => setWhole(true)}>{t("show_all", { count: formatNumber(found.length) })}</Button>
        </div>
      )}
    </Flex>
  );
}
