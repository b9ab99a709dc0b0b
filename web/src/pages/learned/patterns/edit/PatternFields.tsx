/** What of a pattern a person writes; `note` stands below the field it is about. */
import { Flex, Input } from "antd";
import { useId, type ReactNode } from "react";
import { useTexts } from "@/i18n";
import type { PatternValue } from "@/pages/learned/patterns/edit/fields";
import { StepFields } from "@/pages/learned/patterns/edit/StepFields";
import { texts } from "@/pages/learned/patterns/texts";

const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 500;

interface Props {
  value: PatternValue;
  change: <K extends keyof PatternValue>(field: K, value: PatternValue[K]) => void;
  note?: (field: keyof PatternValue) => ReactNode;
  children?: ReactNode;
}

export function PatternFields({ value, change, note = () => null, children }: Props) {
  const t = useTexts(texts);
  const id = useId();
  return (
    <Flex vertical gap={12} style={{ maxWidth: 860 }}>
      <div>
        <label htmlFor={`${id}name`}>{t("name")}</label>
        <Input id={`${id}name`} maxLength={NAME_CHARS_MAX} value={value.name} onChange={(event) => change("name", event.target.value)} />
        {note("name")}
      </div>
      {children}
      <div>
        <label htmlFor={`${id}description`}>{t("description")}</label>
        <Input.TextArea
          id={`${id}description`}
          autoSize={{ minRows: 2, maxRows: 10 }}
          maxLength={TEXT_CHARS_MAX}
          value={value.description}
          onChange={(event) => change("description", event.target.value)}
        />
        {note("description")}
      </div>
      <div>
        {note("steps")}
        <StepFields steps={value.steps} change={(steps) => change("steps", steps)} />
      </div>
    </Flex>
  );
}
