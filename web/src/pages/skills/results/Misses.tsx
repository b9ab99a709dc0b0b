/** The prompts that loaded the wrong skill, or none. */
import { Typography } from "antd";
import { RowsTable } from "@/components/tables/RowsTable";
import { useTexts } from "@/i18n";
import type { Miss } from "@/pages/skills/results/figures";
import { texts } from "@/pages/skills/texts";

export function Misses({ misses }: { misses: readonly Miss[] }) {
  const t = useTexts(texts);
  const names = [t("miss_prompt"), t("miss_expected"), t("miss_got")];
  return (
    <section>
      <h3 style={{ fontSize: 16, margin: "0 0 8px" }}>{t("misses")}</h3>
      {misses.length === 0 ? (
        <Typography.Text type="success">{t("misses_none")}</Typography.Text>
      ) : (
        <RowsTable
          label={t("misses")}
          columns={names.map((name) => ({ name }))}
          rows={misses.map(({ prompt, missing, fired }) => [
            prompt,
            missing ?? t("miss_not_this"),
            fired.join(", ") || t("nothing"),
          ])}
        />
      )}
    </section>
  );
}
