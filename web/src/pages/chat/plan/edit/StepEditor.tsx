/** One step that a person may change; one that has begun says why it cannot be. */
import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined, LockOutlined } from "@ant-design/icons";
import { Button, Flex, Input, Tooltip, Typography } from "antd";
import { useState } from "react";
import { AgentChoice } from "@/pages/chat/plan/edit/AgentChoice";
import type { DraftRow } from "@/pages/chat/plan/edit/draft";
import { CHARS_MAX, type Fields } from "@/pages/chat/plan/edit/fields";
import { StepDetails } from "@/pages/chat/plan/edit/StepDetails";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { Theirs } from "@/pages/chat/plan/edit/Theirs";
import { useTexts } from "@/i18n";
import type { PlanStep } from "@/stream/conversation";

export interface Place {
  possible: boolean;
  move: () => void;
}

interface Props {
  row: DraftRow;
  steps: readonly PlanStep[];
  up: Place;
  down: Place;
  onDrag: (key: string | null) => void;
  onFields: (fields: Partial<Fields>) => void;
  /** Leaves a step of the plan out or takes it in again; takes an added one away. */
  onSkip: (skip: boolean) => void;
}

export function StepEditor(props: Props) {
  const { step, locked } = props.row;
  return locked && step ? <LockedStep step={step} /> : <OpenStep {...props} />;
}

function LockedStep({ step: { number, text, status } }: { step: PlanStep }) {
  const t = useTexts(planEditTexts);
  const why = t(`locked_${status === "pending" ? "in_progress" : status}`);
  return (
    <div>
      <Typography.Text type="secondary">
        <LockOutlined aria-hidden /> {number}. {text}
      </Typography.Text>
      <div className="plan-edit-note">{t("locked", { number, why })}</div>
    </div>
  );
}

function OpenStep({ row, steps, up, down, onDrag, onFields, onSkip }: Props) {
  const t = useTexts(planEditTexts);
  const { key, step, fields, skip, theirs } = row;
  const [open, setOpen] = useState(false);
  const number = step?.number ?? 0;
  type Word = "text" | "up" | "down" | "more";
  const named = (word: Word) => (step ? t(word, { number }) : t(`${word}_new`));
  return (
    <Flex vertical gap={6}>
      <Flex gap={6} align="start">
        <span
          className="plan-edit-handle"
          title={t("drag")}
          aria-hidden
          draggable
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = "move";
            event.dataTransfer.setData("text/plain", key);
            onDrag(key);
          }}
          onDragEnd={() => onDrag(null)}
        >
          <HolderOutlined />
        </span>
        <span className="plan-edit-number">{step ? `${number}.` : "+"}</span>
        <Input.TextArea
          aria-label={named("text")}
          autoSize={{ minRows: 1, maxRows: 6 }}
          maxLength={CHARS_MAX.text}
          disabled={skip}
          className={skip ? "plan-edit-skipped" : undefined}
          value={fields.text}
          onChange={(event) => onFields({ text: event.target.value })}
        />
        <Tooltip title={named("up")}>
          <Button size="small" type="text" data-step={key} icon={<ArrowUpOutlined />} aria-label={named("up")} disabled={!up.possible} onClick={up.move} />
        </Tooltip>
        <Tooltip title={named("down")}>
          <Button size="small" type="text" data-step={key} icon={<ArrowDownOutlined />} aria-label={named("down")} disabled={!down.possible} onClick={down.move} />
        </Tooltip>
      </Flex>
      <Theirs theirs={theirs} onTake={onFields} />
      <Flex gap={8} wrap className="plan-edit-under">
        {!skip && (
          <>
            <AgentChoice label={step ? t("agent", { number }) : t("agent_new")} value={fields.agent} onChange={(agent) => onFields({ agent })} />
            <Button size="small" aria-expanded={open} aria-label={named("more")} onClick={() => setOpen(!open)}>
              {t("details")}
            </Button>
          </>
        )}
        {step ? (
          <Button size="small" aria-label={t(skip ? "unskip_step" : "skip_step", { number })} onClick={() => onSkip(!skip)}>
            {t(skip ? "unskip" : "skip")}
          </Button>
        ) : (
          <Button size="small" onClick={() => onSkip(true)}>
            {t("remove_new")}
          </Button>
        )}
      </Flex>
      {open && !skip && <StepDetails number={step?.number ?? null} fields={fields} steps={steps} onFields={onFields} />}
    </Flex>
  );
}
