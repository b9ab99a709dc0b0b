/** Everything that can be asked: named sources, one's own files, earlier results. */
import { Select } from "antd";
import { useTexts } from "@/i18n";
import { useSources } from "@/pages/data/queries";
import { UPLOADS } from "@/pages/data/sources/files";
import { useOwnFiles } from "@/pages/data/sources/queries";
import { texts } from "@/pages/data/sql/texts";

export const RESULTS_SOURCE = "results";

export function useAskable() {
  const sources = useSources();
  const files = useOwnFiles();
  return {
    pending: sources.isPending || files.isPending,
    named: (sources.data ?? []).map((source) => source.name),
    files: (files.data ?? []).map((file) => file.path),
  };
}

export function SourceSelect({ value, change }: { value: string; change: (source: string) => void }) {
  const t = useTexts(texts);
  const { named, files, pending } = useAskable();
  return (
    <Select
      value={value || undefined}
      onChange={change}
      loading={pending}
      aria-label={t("source")}
      placeholder={t("source_choose")}
      style={{ width: "min(100%, 340px)" }}
      showSearch={{ optionFilterProp: "label" }}
      options={[
        { label: t("group_sources"), options: named.map((name) => ({ value: name, label: name })) },
        {
          label: t("group_files"),
          options: files.map((path) => ({ value: path, label: path.slice(UPLOADS.length + 1) })),
        },
        { value: RESULTS_SOURCE, label: t("results_source") },
      ]}
    />
  );
}
