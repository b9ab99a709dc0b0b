/** What a step is to bring, what its agent is told besides, and which steps it waits for. */
import { Flex, Input, Select } from "antd";
import { CHARS_MAX, type Fields } from "@/pages/chat/plan/edit/fields";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { useTexts } from "@/i18n";
import type { PlanStep } from "@/stream/conversation";

interface Props {
  /** Null: of a step that is added. */
  number: number | null;
  fields: Fields;
  steps: readonly PlanStep[];
  onFields: (fields: Partial<Fields>) => void;
}

export function StepDetails({ number, fields, steps, onFields }: Props) {
  const t = useTexts(planEditTexts);
  const others = steps.filter((step) => step.number !== number);
  return (
    <Flex vertical gap={6} className="plan-edit-under">
      <label>
        {t("expected")}
        <Input.TextArea
          autoSize={{ minRows: 1, maxRows: 6 }}
          maxLength={CHARS_MAX.expectedOutput}
          value={fields.expectedOutput}
          onChange={(event) => onFields({ expectedOutput: event.target.value })}
        />
      </label>
      <label>
        {t("prompt")}
        <Input.TextArea
          autoSize={{ minRows: 1, maxRows: 6 }}
          maxLength={CHARS_MAX.prompt}
          value={fields.prompt}
          onChange={(event) => onFields({ prompt: event.target.value })}
        />
      </label>
      <label>
        {t("after")}
        <Select
          mode="multiple"
          aria-label={t("after")}
          placeholder={t("after_none")}
          value={[...fields.dependencies]}
          onChange={(dependencies: number[]) => onFields({ dependencies })}
          showSearch={{ optionFilterProp: "label" }}
          style={{ width: "100%" }}
          options={others.map((step) => ({ value: step.number, label: `${step.number}. ${step.text}` }))}
        />
      </label>
    </Flex>
  );
}
