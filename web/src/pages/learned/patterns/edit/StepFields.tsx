/** The steps of a pattern: what each does, its tools, and what people decided and corrected there. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Card, Flex, Input, Select } from "antd";
import { useId } from "react";
import { useToolNames } from "@/api/names";
import { useTexts } from "@/i18n";
import { EMPTY_STEP, type StepValue } from "@/pages/learned/patterns/edit/fields";
import { texts } from "@/pages/learned/patterns/texts";

const STEPS_MAX = 50;
const CHARS_MAX = 500;

interface Props {
  steps: readonly StepValue[];
  change: (steps: StepValue[]) => void;
}

export function StepFields({ steps, change }: Props) {
  const t = useTexts(texts);
  const move = (from: number, to: number) => {
    const next = [...steps];
    next.splice(to, 0, ...next.splice(from, 1));
    change(next);
  };
  return (
    <Flex vertical gap={8} role="group" aria-label={t("steps")}>
      {steps.map((step, at) => (
        <Card
          // Steps have no ids: their place is all there is.
          key={at}
          size="small"
          title={t("step", { number: at + 1 })}
          extra={
            <Flex gap={4}>
              <Button size="small" type="text" icon={<ArrowUpOutlined />} disabled={at === 0} aria-label={t("step_up", { number: at + 1 })} onClick={() => move(at, at - 1)} />
              <Button size="small" type="text" icon={<ArrowDownOutlined />} disabled={at === steps.length - 1} aria-label={t("step_down", { number: at + 1 })} onClick={() => move(at, at + 1)} />
              <Button size="small" type="text" danger icon={<DeleteOutlined />} aria-label={t("step_remove", { number: at + 1 })} onClick={() => change(steps.toSpliced(at, 1))} />
            </Flex>
          }
        >
          <Step step={step} change={(changed) => change(steps.with(at, changed))} />
        </Card>
      ))}
      <Button
        icon={<PlusOutlined />}
        disabled={steps.length >= STEPS_MAX}
        style={{ alignSelf: "start" }}
        onClick={() => change([...steps, EMPTY_STEP])}
      >
        {t("step_add")}
      </Button>
    </Flex>
  );
}

function Step({ step, change }: { step: StepValue; change: (step: StepValue) => void }) {
  const t = useTexts(texts);
  const id = useId();
  const tools = useToolNames();
  const field = (name: "description" | "expected_output") => (
    <div>
      <label htmlFor={id + name}>{t(`step_${name}`)}</label>
      <Input.TextArea
        id={id + name}
        autoSize={{ minRows: 1, maxRows: 8 }}
        maxLength={CHARS_MAX}
        value={step[name]}
        onChange={(event) => change({ ...step, [name]: event.target.value })}
      />
    </div>
  );
  const lines = (name: "decision_points" | "corrections") => (
    <div>
      <label htmlFor={id + name}>{t(`step_${name}`)}</label>
      <Input.TextArea
        id={id + name}
        autoSize={{ minRows: 1, maxRows: 8 }}
        placeholder={t("one_per_line")}
        value={step[name].join("\n")}
        onChange={(event) => change({ ...step, [name]: event.target.value === "" ? [] : event.target.value.split("\n") })}
      />
    </div>
  );
  return (
    <Flex vertical gap={8}>
      {field("description")}
      {field("expected_output")}
      <div>
        <label htmlFor={`${id}tools`}>{t("step_tools")}</label>
        <Select
          id={`${id}tools`}
          mode="tags"
          style={{ width: "100%" }}
          loading={tools.isPending}
          value={step.tools}
          onChange={(names: string[]) => change({ ...step, tools: names })}
          options={(tools.data ?? []).map((name) => ({ value: name, label: name }))}
        />
      </div>
      {lines("decision_points")}
      {lines("corrections")}
    </Flex>
  );
}
