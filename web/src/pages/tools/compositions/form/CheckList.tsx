/** What is wrong with a composition, while it is written: by the server, and whether its tools are there. */
import { CheckCircleOutlined } from "@ant-design/icons";
import { Alert, Typography } from "antd";
import { useSettled } from "@/components/forms/useSettled";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { bodyOf, type CompositionValue } from "@/pages/tools/compositions/form/fields";
import { useProblems } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";
import { useTools } from "@/pages/tools/queries";

export function CheckList({ value }: { value: CompositionValue }) {
  const t = useTexts(texts);
  const settled = useSettled(value);
  const { body, broken } = bodyOf(settled);
  // Before everything that must be there is, its absence is no news.
  const isFilled = settled.name !== "" && settled.steps.every(({ tool }) => tool);
  const checked = useProblems(isFilled ? body : null);
  const tools = useTools();
  const names = new Set(tools.data?.tools.map(({ name }) => name));
  const missing = tools.data
    ? [...new Set(settled.steps.flatMap(({ tool, fallbacks }) => [tool, ...fallbacks]))].filter((name) => name && !names.has(name))
    : [];
  const problems = [
    ...broken.map(({ field, number }) => t(`broken_${field}`, { number })),
    ...(body && isFilled ? (checked.data ?? []) : []),
  ];
  const isGood = isFilled && body !== null && checked.data?.length === 0;
  return (
    <section aria-label={t("check")} aria-live="polite" style={{ marginBottom: 16 }}>
      {body && isFilled && checked.error && <ErrorNotice error={checked.error} />}
      {problems.length > 0 && <Alert type="error" showIcon title={t("problems")} description={<List lines={problems} />} />}
      {isGood && (
        <Typography.Text type="success">
          <CheckCircleOutlined aria-hidden /> {t("no_problems")}
        </Typography.Text>
      )}
      {missing.length > 0 && (
        <Alert
          type="warning"
          showIcon
          style={{ marginTop: 8 }}
          title={t("missing_tools", { tools: missing.join(", ") })}
          description={t("missing_tools_hint")}
        />
      )}
    </section>
  );
}

const List = ({ lines }: { lines: readonly string[] }) => (
  <ul style={{ margin: 0, paddingInlineStart: 18 }}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
