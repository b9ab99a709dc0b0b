/** A plan as it stands: its stage, what changed it, and its steps in the order they run. */
import { Flex, Typography } from "antd";
import { useNames } from "@/api/members";
import { StageLine } from "@/pages/chat/plan/body/StageLine";
import { StepLine } from "@/pages/chat/plan/body/StepLine";
import { planBodyTexts } from "@/pages/chat/plan/body/texts";
import { wavesOf } from "@/pages/chat/plan/body/waves";
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

function ChangeLine({ change: { change, by, reason } }: { change: PlanChange }) {
  const t = useTexts(planBodyTexts);
  const said = useDataText();
  const nameOf = useNames();
  const who = by === null ? t("somebody") : nameOf(by);
  const key = change === "edited" ? "edited" : "replanned";
  return (
    <Flex className="plan-small">
      <Typography.Text type="secondary">
        {reason ? t(`${key}_why`, { who, reason: said(reason) }) : t(key, { who })}
      </Typography.Text>
    </Flex>
  );
}
