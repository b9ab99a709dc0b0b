/** Choices that more than one form here has. */
import { AutoComplete, Select } from "antd";
import { useProjects } from "@/api/projects";
import { useTexts } from "@/i18n";
import { usePolicy } from "@/pages/permissions/queries";
import { texts } from "@/pages/permissions/texts";

const ASKING = ["shell", "write_file", "edit_file", "delete_file", "fetch_url", "http_request"];

interface Field<T> {
  id?: string;
  value?: T;
  onChange?: (value: T) => void;
}

export function ToolField({ id, value, onChange }: Field<string>) {
  const policy = usePolicy();
  const names = [
    ...Object.keys(policy.data?.groups ?? {}),
    ...ASKING,
    ...(policy.data?.allowed_by_default ?? []),
  ];
  return (
    <AutoComplete
      id={id}
      value={value}
      onChange={onChange}
      placeholder="shell"
      showSearch={{ filterOption: (typed, option) => option?.value.includes(typed) ?? false }}
      options={[...new Set(names)].map((name) => ({ value: name }))}
    />
  );
}

/** Empty is the person's own work. */
export function PlaceField({ id, value, onChange }: Field<string>) {
  const t = useTexts(texts);
  const projects = useProjects();
  return (
    <Select
      id={id}
      value={value}
      onChange={onChange}
      options={[
        { value: "", label: t("own_work") },
        ...(projects.data ?? []).map((each) => ({ value: each.project_id, label: each.name })),
      ]}
    />
  );
}
