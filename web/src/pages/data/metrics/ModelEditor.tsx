/** The semantic model as text; what does not hold together is refused with its place. */
import { App, Alert, Button, Flex, Input, Typography } from "antd";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { isAdmin, useMe } from "@/api/me";
import { ApiError } from "@/api/errors";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useSaveModel, useTestQuestions } from "@/pages/data/metrics/queries";
import { texts } from "@/pages/data/metrics/texts";

interface Props {
  model: Schemas["SemanticModelInfo"];
  start: string;
  loadAgain: () => void;
  saved: () => void;
}

export function ModelEditor({ model, start, loadAgain, saved }: Props) {
  const t = useTexts(texts);
  const me = useMe();
  const { message } = App.useApp();
  const [text, setText] = useState(start);
  const save = useSaveModel();
  const stale = save.error instanceof ApiError && save.error.code === "CONFLICT";
  const changed = text !== model.text;
  // Whose a project is, the server says when it is tried.
  const maySave = me.role !== "viewer" && (isAdmin(me) || model.project_id !== null);
  const done = () => {
    saved();
    void message.success(t("saved"));
  };
  return (
    <section aria-labelledby="model">
      <Typography.Title level={2} id="model" style={{ fontSize: 18 }}>
        {t("model")}
      </Typography.Title>
      <Flex vertical gap={8}>
        <Typography.Text type="secondary" id="model-hint">
          {t("model_hint")} {!maySave && t("model_read_only")}
        </Typography.Text>
        <Input.TextArea
          value={text}
          readOnly={!maySave}
          aria-label={t("model")}
          aria-describedby="model-hint"
          spellCheck={false}
          autoSize={{ minRows: 8, maxRows: 28 }}
          style={{ fontFamily: "var(--da-font-family-code)" }}
          onChange={(event) => setText(event.target.value)}
        />
        {save.error && <ErrorNotice error={save.error} />}
        <Flex gap={8} wrap align="center">
          {maySave && (
            <Button
              type="primary"
              disabled={!changed}
              loading={save.isPending}
              onClick={() => save.mutate({ text, version: model.version }, { onSuccess: done })}
            >
              {t("save")}
            </Button>
          )}
          {stale && <Button onClick={loadAgain}>{t("load_again")}</Button>}
          {changed && <Typography.Text type="secondary">{t("unsaved")}</Typography.Text>}
        </Flex>
        {model.version > 0 && <Verified />}
      </Flex>
    </section>
  );
}

const STATES = { same: "success", ran: "success", different: "warning", failed: "error" } as const;
type State = keyof typeof STATES;

function Verified() {
  const t = useTexts(texts);
  const test = useTestQuestions();
  return (
    <Flex vertical gap={8} align="start">
      <Button loading={test.isPending} onClick={() => test.mutate()}>
        {t("test")}
      </Button>
      {test.error && <ErrorNotice error={test.error} />}
      {test.data?.items.length === 0 && t("test_none")}
      {test.data?.items.map((item) => (
        <Alert
          key={item.question}
          type={STATES[item.state as State]}
          showIcon
          style={{ width: "100%" }}
          title={`${item.question} — ${t(`test_${item.state as State}`)}`}
          description={item.differences.length > 0 && item.differences.join("; ")}
        />
      ))}
    </Flex>
  );
}
