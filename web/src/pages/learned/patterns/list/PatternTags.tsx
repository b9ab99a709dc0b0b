/** Whether a pattern is used, and where it comes from. */
import { Tag } from "antd";
import type { PatternInfo } from "@/api/learned/patterns";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/learned/patterns/texts";

const COLOURS = { trusted: "green", draft: "blue", untrusted: "red", archived: undefined } as const;

export function PatternTags({ pattern }: { pattern: PatternInfo }) {
  const t = useTexts(texts);
  return (
    <>
      <Tag color={COLOURS[pattern.state]} title={t(`state_${pattern.state}_hint`)}>
        {t(`state_${pattern.state}`)}
      </Tag>
      {pattern.made_by_hand && <Tag>{t("by_hand")}</Tag>}
      {pattern.origin && <Tag>{t("from_tenant", { tenant: pattern.origin.tenant_id })}</Tag>}
      {pattern.workflow && <Tag color="purple">{t("has_workflow")}</Tag>}
    </>
  );
}
