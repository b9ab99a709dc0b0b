/** The plan of the run under way: how far it is, what is done now, and what a person may do about it. */
import { DownOutlined, EditOutlined, UpOutlined } from "@ant-design/icons";
import { Button, Flex, Typography } from "antd";
import { Suspense, useState } from "react";
import { lazyPart } from "@/pages/chat/lazyPart";
import { PlanBody } from "@/pages/chat/plan/body/PlanBody";
import { planApproval } from "@/pages/chat/plan/approval";
import { GoAhead } from "@/pages/chat/plan/GoAhead";
import { progressOf, statusText } from "@/pages/chat/plan/progress";
import { isDocked, isSettled } from "@/pages/chat/plan/shown";
import { planTexts } from "@/pages/chat/plan/texts";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import type { Conversation, Plan } from "@/stream/conversation";
import { isOpen } from "@/stream/plans";

const PlanDialog = lazyPart("PlanDialog", () => import("@/pages/chat/plan/edit/PlanDialog"));

interface Props {
  sessionId: string;
  conversation: Conversation;
  plan: Plan;
  /** Whether the person may change the plan. */
  writes: boolean;
  /** Whether the person may answer the question about it. */
  answers: boolean;
}

export function PlanDock({ sessionId, conversation, plan, writes, answers }: Props) {
  const t = useTexts(planTexts);
  const said = useDataText();
  const running = conversation.activeRunId === plan.runId;
  const approval = answers ? planApproval(conversation, plan.runId) : null;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [editing, setEditing] = useState(false);
  // Who is asked about a plan has to see it.
  const open = chosen ?? approval !== null;
  const { done, all, current } = progressOf(plan);
  const status = statusText(plan, t, said);
  const now = current.map((step) => step.text).join("; ");
  const changes = running && writes && isOpen(plan) && plan.steps.some((step) => !isSettled(step));
  return (
    <>
      {isDocked(plan, conversation.activeRunId) && (
        <section className="chat-dock chat-plan-dock" aria-label={t("plan")}>
          <Flex align="center" gap={8} wrap={changes} className="chat-plan-head">
            <Typography.Text strong>{t("plan")}</Typography.Text>
            {all > 0 && <Typography.Text type="secondary">{t("done_of", { done, all })}</Typography.Text>}
            {running && !open && plan.stage && <Typography.Text type="secondary">{t(`stage_${plan.stage}`)}</Typography.Text>}
            {!running && <Typography.Text type="warning">{t("left")}</Typography.Text>}
            <span className="chat-one-line">{status ?? (!open && running && now)}</span>
            {changes && (
              <Button size="small" icon={<EditOutlined />} onClick={() => setEditing(true)}>
                {t("change")}
              </Button>
            )}
            {approval && <GoAhead request={approval} sessionId={sessionId} />}
            {all > 0 && (
              <Button
                size="small"
                type="text"
                aria-expanded={open}
                aria-label={open ? t("hide") : t("show")}
                icon={open ? <DownOutlined /> : <UpOutlined />}
                onClick={() => setChosen(!open)}
              />
            )}
          </Flex>
          {open && all > 0 && (
            <div className="chat-plan">
              <PlanBody plan={plan} running={running} />
            </div>
          )}
        </section>
      )}
      {/* What is being typed outlives the run. */}
      {editing && (
        <Suspense>
          <PlanDialog sessionId={sessionId} plan={plan} running={running} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}
