/** The plan of a turn, folded into one line: it stays readable when the run is over. */
import { RightOutlined } from "@ant-design/icons";
import { useState } from "react";
import { PlanBody } from "@/pages/chat/plan/body/PlanBody";
import { progressOf, statusText } from "@/pages/chat/plan/progress";
import { planTexts } from "@/pages/chat/plan/texts";
import { useSetting } from "@/pages/chat/transcript/setting";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import type { PlanItem } from "@/stream/conversation";

export function PlanCard({ item: { plan } }: { item: PlanItem }) {
  const t = useTexts(planTexts);
  const said = useDataText();
  const running = useSetting().activeRunId === plan.runId;
  const [open, setOpen] = useState(false);
  const { done, all } = progressOf(plan);
  const about = [all > 0 && t("done_of", { done, all }), statusText(plan, t, said)].filter(Boolean).join(" · ");
  if (all === 0) return <div className="line">{about}</div>;
  return (
    <div className="plan-card" role="group" aria-label={t("plan")}>
      <button type="button" className="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <RightOutlined className="line-arrow" aria-hidden />
        <span className="line-verb">{t("plan")}</span>
        <span className="line-argument">{about}</span>
      </button>
      {open && <PlanBody plan={plan} running={running} />}
    </div>
  );
}
