/** Everything the agent itself has, or only what is named. */
import { Flex, Select } from "antd";
import { Segments } from "@/components/forms/Segments";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/subagents/texts";

interface Props {
  id?: string;
  label: string;
  value?: string[] | null;
  onChange?: (value: string[] | null) => void;
  names: readonly string[];
  loading: boolean;
}

export function AllOrSome({ id, label, value = null, onChange, names, loading }: Props) {
  const t = useTexts(texts);
  return (
    <Flex vertical gap={8}>
      <div>
        <Segments<"all" | "some">
          aria-label={label}
          value={value === null ? "all" : "some"}
          onChange={(next) => onChange?.(next === "all" ? null : (value ?? []))}
          options={[
            { value: "all", label: t("allow_all") },
            { value: "some", label: t("allow_some") },
          ]}
        />
      </div>
      {value !== null && (
        <Select
          id={id}
          mode="tags"
          aria-label={t("allow_named", { what: label })}
          value={value}
          onChange={onChange}
          loading={loading}
          placeholder={t("allow_none")}
          options={[...new Set([...names, ...value])].map((name) => ({ value: name, label: name }))}
        />
      )}
    </Flex>
  );
}
