/** What kind a composition is, whose, and whether it fails too often to be offered. */
import { Tag } from "antd";
import { useTexts } from "@/i18n";
import { KINDS } from "@/pages/tools/compositions/form/fields";
import type { Composition } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";

export function CompositionTags({ composition }: { composition: Composition }) {
  const t = useTexts(texts);
  const kind = KINDS.find((each) => each === composition.execution_template.kind) ?? "sequential";
  return (
    <>
      <Tag>{t(`kind_${kind}`)}</Tag>
      {composition.project_id !== null && <Tag color="blue">{t("of_project")}</Tag>}
      {!composition.is_offered && <Tag color="orange">{t("not_offered")}</Tag>}
    </>
  );
}
