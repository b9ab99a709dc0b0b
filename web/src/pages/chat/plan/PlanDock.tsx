/** The agent's plan: how far it is, and what it does now. */
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DownOutlined,
  MinusCircleOutlined,
  RightCircleOutlined,
  UpOutlined,
} from "@ant-design/icons";
import { Button, Flex, Typography } from "antd";
import { useState } from "react";
import { planTexts } from "@/pages/chat/plan/texts";
import { useTexts } from "@/i18n";
import type { PlanStep } from "@/stream/conversation";

const ICONS = {
  pending: ClockCircleOutlined,
  in_progress: RightCircleOutlined,
  completed: CheckCircleOutlined,
  failed: CloseCircleOutlined,
  cancelled: MinusCircleOutlined,
};

interface Props {
  plan: readonly PlanStep[];
  running: boolean;
}

/** While a run goes on, and after it for as long as something of its plan was left undone. */
export function PlanDock({ plan, running }: Props) {
  const t = useTexts(planTexts);
  const [open, setOpen] = useState(false);
  const done = plan.filter((step) => step.status === "completed").length;
  if (plan.length === 0 || (!running && done === plan.length)) return null;
  const current = plan.find((step) => step.status === "in_progress");
  return (
    <section className="chat-dock" aria-label={t("plan")}>
      <Flex align="center" gap={8}>
        <Typography.Text strong>{t("plan")}</Typography.Text>
        <Typography.Text type="secondary">
          {t("done_of", { done, all: plan.length })}
        </Typography.Text>
        {!running && <Typography.Text type="warning">{t("left")}</Typography.Text>}
        <span className="chat-one-line">{!open && running && current?.text}</span>
        <Button
          size="small"
          type="text"
          aria-expanded={open}
          aria-label={open ? t("hide") : t("show")}
          icon={open ? <DownOutlined /> : <UpOutlined />}
          onClick={() => setOpen(!open)}
        />
      </Flex>
      {open && (
        <ol className="chat-plan">
          {plan.map((step, index) => {
            const Icon = ICONS[step.status];
            return (
              <li key={index} aria-current={running && step === current ? "step" : undefined}>
                <Icon aria-label={t(running || step !== current ? step.status : "begun")} />{" "}
                <span className={`chat-plan-${step.status}`}>{step.text}</span>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
