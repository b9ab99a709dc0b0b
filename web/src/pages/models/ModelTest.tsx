/** Asks an endpoint whether it is there, what it has, and whether a model calls tools. */
import { Alert, Button, Flex, Input } from "antd";
import { useState } from "react";
import type { ProviderInfo } from "@/api/models";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";
import { useFigureActions, useModelTest, type TestAnswer } from "@/pages/models/queries";
import { texts } from "@/pages/models/texts";

export function ModelTest({ provider }: { provider: ProviderInfo }) {
  const t = useTexts(texts);
  const test = useModelTest();
  const [model, setModel] = useState("");
  const run = (name = model) =>
    test.mutate({ provider: provider.name, model: name.trim() || null });
  return (
    <>
      <Flex gap={8}>
        <Input
          size="small"
          aria-label={t("test_model")}
          placeholder={provider.default_model ?? t("test_model")}
          value={model}
          onChange={(event) => setModel(event.target.value)}
          onPressEnter={() => run()}
          spellCheck={false}
        />
        <Button
          size="small"
          loading={test.isPending}
          aria-label={t("test_of", { provider: provider.title })}
          onClick={() => run()}
        >
          {t(test.isPending ? "testing" : "test")}
        </Button>
      </Flex>
      <div aria-live="polite">
        {test.error && <ErrorNotice error={test.error} />}
        {test.data && <Outcome provider={provider.name} answer={test.data} />}
      </div>
    </>
  );
}

function Outcome({ provider, answer }: { provider: string; answer: TestAnswer }) {
  const t = useTexts(texts);
  const ms = formatDuration(answer.latency_ms);
  return (
    <Alert
      style={{ marginTop: 8 }}
      showIcon
      type={answer.ok ? (answer.tools ? "success" : "warning") : "error"}
      title={answer.ok ? t("test_ok", { model: answer.model ?? "", ms }) : t("test_failed")}
      description={
        <>
          {answer.ok ? t(answer.tools ? "test_tools" : "test_no_tools") : answer.error}
          {(answer.ok || answer.models.length > 0) && (
            <Listed provider={provider} models={answer.models} />
          )}
        </>
      }
    />
  );
}

/** What the endpoint has; a click puts a model on the tenant's list. */
function Listed({ provider, models }: { provider: string; models: string[] }) {
  const t = useTexts(texts);
  const { put } = useFigureActions();
  if (models.length === 0) return <div>{t("test_lists_none")}</div>;
  return (
    <>
      <div style={{ marginTop: 8 }}>{t("test_lists", { count: models.length })}</div>
      {put.error && <ErrorNotice error={put.error} />}
      <Flex gap={4} wrap style={{ maxHeight: 160, overflowY: "auto" }}>
        {models.map((name) => (
          <Button
            key={name}
            size="small"
            title={t("offer", { model: name })}
            onClick={() => put.mutate({ model: `${provider}:${name}` })}
          >
            {name}
          </Button>
        ))}
      </Flex>
    </>
  );
}
