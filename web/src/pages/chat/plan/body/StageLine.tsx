/** Where a staged loop is: reason, plan, execute, review. */
import { planBodyTexts } from "@/pages/chat/plan/body/texts";
import { useTexts } from "@/i18n";
import type { Plan } from "@/stream/conversation";

type Stage = NonNullable<Plan["stage"]>;
const STAGES: readonly Stage[] = ["reason", "plan", "execute", "review"];

interface Props {
  stage: Stage;
  round: number;
  running: boolean;
}

export function StageLine({ stage, round, running }: Props) {
  const t = useTexts(planBodyTexts);
  return (
    <div className="plan-stages plan-small">
      <ol aria-label={t("stages")}>
        {STAGES.map((each) => (
          <li key={each} aria-current={running && each === stage ? "step" : undefined}>
            {t(each)}
          </li>
        ))}
      </ol>
      {round > 0 && <span className="chat-secondary">{t(round === 1 ? "sent_back_one" : "sent_back", { count: round })}</span>}
    </div>
  );
}
