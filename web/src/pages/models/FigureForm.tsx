import { Form, Input, InputNumber, Typography } from "antd";
import type { ModelInfo } from "@/api/models";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { FIGURES, type Figure } from "@/pages/models/figures";
import { useFigureActions } from "@/pages/models/queries";
import { texts } from "@/pages/models/texts";

type Fields = { model: string } & Partial<Record<Figure, number | null>>;

const LABELS = {
  context_length: "context",
  max_output_tokens: "output",
  input_cost_per_1m: "input_price",
  output_cost_per_1m: "output_price",
} as const;

export function FigureForm({ model, close }: { model?: ModelInfo; close: () => void }) {
  const t = useTexts(texts);
  const { put } = useFigureActions();
  // Only the tenant's own figures are filled in: the rest stays the catalogue's.
  const own = FIGURES.filter((name) => model?.sources[name] === "tenant");
  return (
    <FormDialog<Fields>
      title={model ? t("correct_of", { model: model.model }) : t("add")}
      okText={t("save")}
      initialValues={{
        model: model?.model,
        ...Object.fromEntries(own.map((name) => [name, model?.[name]])),
      }}
      submit={(fields) => put.mutateAsync(fields)}
      close={close}
    >
      <Form.Item
        name="model"
        label={t("model")}
        extra={t("full_name")}
        hidden={Boolean(model)}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <Input placeholder="openai:gpt-5.5" spellCheck={false} maxLength={200} />
      </Form.Item>
      <Typography.Paragraph type="secondary">{t("correct_hint")}</Typography.Paragraph>
      {FIGURES.map((name) => (
        <Form.Item key={name} name={name} label={t(LABELS[name])}>
          <InputNumber
            min={name.endsWith("_per_1m") ? 0 : 1}
            precision={name.endsWith("_per_1m") ? undefined : 0}
            placeholder={String(model?.[name] ?? t("unknown"))}
            style={{ width: "100%" }}
          />
        </Form.Item>
      ))}
    </FormDialog>
  );
}
