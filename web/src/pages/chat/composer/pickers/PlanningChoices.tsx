import { Flex } from "antd";
import { Segments } from "@/components/forms/Segments";
import { LOOPS, PLANNING_MODES, type Planning } from "@/pages/chat/composer/pickers/planning";
import { planningTexts } from "@/pages/chat/composer/pickers/planning.texts";
import { useTexts } from "@/i18n";

interface Props {
  value: Planning;
  onChange: (planning: Planning) => void;
}

const AS_SET = "as set";

export function PlanningChoices({ value, onChange }: Props) {
  const t = useTexts(planningTexts);
  return (
    <Flex vertical gap={10} className="chat-planning">
      <div>
        <div className="chat-secondary">{t("loop")}</div>
        <Segments<string>
          aria-label={t("loop")}
          value={value.loop ?? AS_SET}
          onChange={(chosen) => onChange({ ...value, loop: LOOPS.find((each) => each === chosen) ?? null })}
          options={[{ value: AS_SET, label: t("as_set") }, ...LOOPS.map((each) => ({ value: each, label: t(each) }))]}
        />
        <small className="chat-secondary chat-option-hint">{t(`${value.loop ?? "as_set"}_hint`)}</small>
      </div>
      <div>
        <div className="chat-secondary">{t("mode")}</div>
        <Segments<Planning["mode"]>
          aria-label={t("mode")}
          value={value.mode}
          onChange={(mode) => onChange({ ...value, mode })}
          options={PLANNING_MODES.map((each) => ({ value: each, label: t(each) }))}
        />
        <small className="chat-secondary chat-option-hint">{t(`${value.mode}_hint`)}</small>
      </div>
      <small className="chat-secondary chat-option-hint">{t("once")}</small>
    </Flex>
  );
}
