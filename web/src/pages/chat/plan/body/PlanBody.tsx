/** A plan as it stands: its stage, what changed it, and its steps in the order they run. */
import { Typography } from "antd";
import { useNames } from "@/api/members";
import { StageLine } from "@/pages/chat/plan/body/StageLine";
import { StepLine } from "@/pages/chat/plan/body/StepLine";
import { planBodyTexts } from "@/pages/chat/plan/body/texts";
import { wavesOf } from "@/pages/chat/plan/body/waves";
import { planAnswer } from "@/pages/chat/requests/plan";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import type { Plan, PlanChange, PlanStep } from "@/stream/conversation";
import "@/pages/chat/plan/body/plan.css";

const CHANGES_MAX = 3;

interface Props {
  plan: Plan;
  running: boolean;
}

export function PlanBody({ plan, running }: Props) {
  const t = useTexts(planBodyTexts);
  return (
    <div className="plan-body">
      {plan.stage && <StageLine stage={plan.stage} round={plan.round} running={running} />}
      {plan.changes.slice(-CHANGES_MAX).map((change) => (
        <ChangeLine key={change.version} change={change} />
      ))}
      <ol className="plan-steps" aria-label={t("steps")}>
        {wavesOf(plan).map((wave) => (
          <Wave key={wave[0]?.number} wave={wave} running={running} />
        ))}
      </ol>
    </div>
  );
}

function Wave({ wave, running }: { wave: PlanStep[]; running: boolean }) {
  const t = useTexts(planBodyTexts);
  const lines = wave.map((step) => <StepLine key={step.number} step={step} running={running} />);
  if (wave.length === 1) return lines;
  return (
    <li className="plan-wave">
      <Typography.Text type="secondary" className="plan-small">
        {t("side_by_side")}
      </Typography.Text>
      <ol className="plan-side" aria-label={t("side_by_side")}>
        {lines}
      </ol>
    </li>
  );
}

function ChangeLine({ change }: { change: PlanChange }) {
  const t = useTexts(planBodyTexts);
  const asked = useTexts(requestTexts);
  const said = useDataText();
  const nameOf = useNames();
  const text = (): string => {
    const { by } = change;
    const answer = planAnswer(change.reason, asked);
    const reason = answer ?? said(change.reason);
    if (change.change === "replanned") return reason ? t("replanned_why", { reason }) : t("replanned");
    if (by !== null) return reason ? t("answered", { who: nameOf(by), reason }) : t("edited", { who: nameOf(by) });
    if (answer !== null) return t("no_answer", { reason });
    return reason ? t("changed_why", { reason }) : t("changed");
  };
  return (
    <Typography.Text type="secondary" className="plan-small">
      {text()}
    </Typography.Text>
  );
}
