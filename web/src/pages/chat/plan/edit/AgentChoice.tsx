/** Which sub-agent works on a step. */
import { Select } from "antd";
import { useSubAgents } from "@/api/subagents";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { useTexts } from "@/i18n";

/** Always there; it is no entry of the list. */
const GENERAL_PURPOSE = "general-purpose";

interface Props {
  label: string;
  value: string;
  onChange: (agent: string) => void;
}

export function AgentChoice({ label, value, onChange }: Props) {
  const t = useTexts(planEditTexts);
  const known = useSubAgents().data;
  const active = known?.flatMap((each) => (each.status === "active" ? [each.name] : [])) ?? [];
  const names = new Set([GENERAL_PURPOSE, ...active]);
  const choices = [...names].map((name) => ({ value: name, label: name }));
  const gone = value && !names.has(value) ? [{ value, label: known ? t("agent_gone", { name: value }) : value }] : [];
  return (
    <Select
      size="small"
      aria-label={label}
      value={value}
      onChange={onChange}
      showSearch={{ optionFilterProp: "label" }}
      popupMatchSelectWidth={false}
      className="plan-edit-agent"
      options={[{ value: "", label: t("agent_any") }, ...gone, ...choices]}
    />
  );
}
