/** The skills of one tier; of many, those that fit what is searched for. */
import { Button, Flex, Input, Typography } from "antd";
import { useDeferredValue, useMemo, useState } from "react";
import type { SkillInfo } from "@/api/skills";
import { Entries } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { fitting } from "@/pages/skills/list/fitting";
import { SkillEntry } from "@/pages/skills/list/SkillEntry";
import { texts } from "@/pages/skills/texts";

/** So many are seen at a glance. */
const SEARCHED_MIN = 9;
/** So many are drawn without a wait, and so many more each time. */
const PAGE = 50;

export function Tier({ skills, all }: { skills: readonly SkillInfo[]; all: readonly SkillInfo[] }) {
  const t = useTexts(texts);
  const [query, setQuery] = useState("");
  const [shownMax, setShownMax] = useState(PAGE);
  // Letters appear at once, whatever is drawn for them.
  const asked = useDeferredValue(query);
  const found = useMemo(() => fitting(skills, asked), [skills, asked]);
  const shown = found.slice(0, shownMax);
  return (
    <Flex vertical gap={12}>
      {skills.length >= SEARCHED_MIN && (
        <Flex gap={12} wrap align="center">
          <Input.Search
            allowClear
            aria-label={t("search")}
            placeholder={t("search")}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setShownMax(PAGE);
            }}
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
          <Button onClick={() => setShownMax(shownMax + PAGE)}>
            {t("show_more", { count: formatNumber(Math.min(PAGE, found.length - shown.length)) })}
          </Button>
        </div>
      )}
    </Flex>
  );
}
