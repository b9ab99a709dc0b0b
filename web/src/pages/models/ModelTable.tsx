import { Button, Flex, Popconfirm, Table, Tag, Typography } from "antd";
import { useState } from "react";
import type { ModelInfo } from "@/api/models";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatMoney, formatNumber } from "@/i18n/format";
import { FigureForm } from "@/pages/models/FigureForm";
import type { Figure } from "@/pages/models/figures";
import { useFigureActions } from "@/pages/models/queries";
import { texts } from "@/pages/models/texts";

export function ModelTable({ models }: { models: ModelInfo[] }) {
  const t = useTexts(texts);
  const { remove } = useFigureActions();
  const [writing, setWriting] = useState<{ model?: ModelInfo } | null>(null);
  return (
    <section style={{ marginBottom: 32 }}>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <h2 style={{ fontSize: 18, margin: 0 }}>{t("models")}</h2>
        <Button onClick={() => setWriting({})}>{t("add")}</Button>
      </Flex>
      <Typography.Paragraph type="secondary">{t("models_hint")}</Typography.Paragraph>
      {remove.error && <ErrorNotice error={remove.error} />}
      <Table<ModelInfo>
        rowKey="model"
        size="middle"
        dataSource={models}
        pagination={models.length > 50 ? { pageSize: 50 } : false}
        scroll={{ x: "max-content" }}
        columns={[
          {
            title: t("model"),
            render: (_, { model, is_default }) => (
              <>
                <code>{model}</code> {is_default && <Tag color="blue">{t("is_default")}</Tag>}
              </>
            ),
          },
          { title: t("context"), render: (_, model) => <Value model={model} of="context_length" /> },
          { title: t("output"), render: (_, model) => <Value model={model} of="max_output_tokens" /> },
          {
            title: t("input_price"),
            render: (_, model) => <Value model={model} of="input_cost_per_1m" />,
          },
          {
            title: t("output_price"),
            render: (_, model) => <Value model={model} of="output_cost_per_1m" />,
          },
          {
            title: <span className="visually-hidden">{t("correct")}</span>,
            render: (_, model) => (
              <Flex gap={8}>
                <Button
                  size="small"
                  aria-label={t("correct_of", { model: model.model })}
                  onClick={() => setWriting({ model })}
                >
                  {t("correct")}
                </Button>
                {model.is_own && (
                  <Popconfirm
                    title={t("forget_ask", { model: model.model })}
                    okText={t("forget")}
                    onConfirm={() => remove.mutate(model.model)}
                  >
                    <Button
                      size="small"
                      danger
                      aria-label={t("forget_of", { model: model.model })}
                    >
                      {t("forget")}
                    </Button>
                  </Popconfirm>
                )}
              </Flex>
            ),
          },
        ]}
      />
      {writing && <FigureForm model={writing.model} close={() => setWriting(null)} />}
    </section>
  );
}

/** A figure and its source; an unknown one is never shown as 0. */
function Value({ model, of }: { model: ModelInfo; of: Figure }) {
  const t = useTexts(texts);
  const value = model[of];
  const shown = of.endsWith("_per_1m") ? formatMoney(value) : formatNumber(value ?? 0);
  const source = model.sources[of] ?? "unknown";
  return (
    <>
      <div>{value === null ? t("unknown") : shown}</div>
      {source !== "unknown" && (
        <Typography.Text type="secondary" style={{ fontSize: 12 }}>
          {t(`source_${source}`)}
        </Typography.Text>
      )}
    </>
  );
}
