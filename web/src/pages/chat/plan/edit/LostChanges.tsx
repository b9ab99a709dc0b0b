/** What was typed for steps that have begun meanwhile: it can be copied, not applied. */
import { Alert } from "antd";
import type { LostChange } from "@/pages/chat/plan/edit/draft";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { useTexts } from "@/i18n";

export function LostChanges({ lost }: { lost: readonly LostChange[] }) {
  const t = useTexts(planEditTexts);
  if (lost.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t("lost")}
      description={lost.map(({ number, text }) => (
        <div key={`${number} ${text}`}>{text ? t("lost_text", { number, text }) : t("lost_skip", { number })}</div>
      ))}
    />
  );
}
