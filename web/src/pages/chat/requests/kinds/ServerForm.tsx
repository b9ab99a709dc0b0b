/** What an MCP server asks in the middle of a call: a form, or a page to visit. Its words, not ours. */
import { Alert, Button, Checkbox, Flex, Form, Input, InputNumber, Select } from "antd";
import { useState } from "react";
import { actionOf, respond } from "@/pages/chat/requests/answer/answers";
import { StopButton } from "@/pages/chat/requests/approval/Approval";
import { fieldsOf, filledIn, type FormField } from "@/pages/chat/requests/kinds/formFields";
import type { KindProps } from "@/pages/chat/requests/kinds/kinds";
import { ReasonForm } from "@/pages/chat/requests/approval/ReasonForm";
import { requestTexts } from "@/pages/chat/requests/texts";
import { useTexts } from "@/i18n";
import type { JsonObject } from "@/stream/events";

export function ServerForm({ request, sending, onAnswer }: KindProps) {
  const t = useTexts(requestTexts);
  const [refusing, setRefusing] = useState(false);
  const { args } = actionOf(request);
  const url = typeof args.url === "string" ? args.url : "";
  const fields = fieldsOf((args.schema ?? {}) as JsonObject);
  if (refusing) {
    return (
      <ReasonForm
        label={t("not_this_label")}
        sending={sending}
        onCancel={() => setRefusing(false)}
        onSend={(text) => onAnswer(respond(text))}
      />
    );
  }
  return (
    <Form<JsonObject>
      layout="vertical"
      disabled={sending}
      initialValues={Object.fromEntries(fields.map((each) => [each.name, each.initial]))}
      onFinish={(values) => onAnswer({ type: "answer", answer: url ? "done" : filledIn(values) })}
    >
      <p className="chat-anywhere">{String(args.message ?? request.question ?? "")}</p>
      <Alert type="info" showIcon title={request.context} style={{ marginBottom: 8 }} />
      {url && (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer" className="chat-anywhere">
            {t("form_open")}: {url}
          </a>
        </p>
      )}
      {fields.map((field) => (
        <Form.Item
          key={field.name}
          name={field.name}
          label={field.label}
          extra={field.hint}
          valuePropName={field.kind === "boolean" ? "checked" : "value"}
          rules={field.kind === "boolean" ? [] : [{ required: field.required }]}
        >
          {control(field)}
        </Form.Item>
      ))}
      <Flex gap={8} wrap className="chat-request-actions">
        <Button type="primary" htmlType="submit" loading={sending}>
          {url ? t("form_been") : t("form_send")}
        </Button>
        <Button onClick={() => onAnswer({ type: "skip" })}>{t("form_skip")}</Button>
        <Button onClick={() => setRefusing(true)}>{t("not_this")}</Button>
        <StopButton sending={sending} onStop={() => onAnswer({ type: "reject" })} />
      </Flex>
    </Form>
  );
}

function control(field: FormField) {
  switch (field.kind) {
    case "text":
      return <Input />;
    case "number":
      return <InputNumber style={{ width: "100%" }} />;
    case "boolean":
      return <Checkbox>{field.label}</Checkbox>;
    case "choice":
      return <Select options={[...field.choices]} />;
    case "choices":
      return <Select mode="multiple" options={[...field.choices]} />;
    default:
      return field.kind satisfies never;
  }
}
