/** Everything a composition is made of, checked while it is written. */
import { Button, Flex, Form, Input, Typography } from "antd";
import { Segments } from "@/components/forms/Segments";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { CheckList } from "@/pages/tools/compositions/form/CheckList";
import { bodyOf, KINDS, type CompositionValue, type Kind } from "@/pages/tools/compositions/form/fields";
import { InputFields } from "@/pages/tools/compositions/form/InputFields";
import { StepFields } from "@/pages/tools/compositions/form/StepFields";
import type { CompositionBody } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";

// How a step names what others gave; a text would take the braces for its own.
const RESULTS = "{{previous}}, {{step.1.title}}";
const INPUTS = "{{input.NAME}}";
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

interface Props {
  initial: CompositionValue;
  okText: string;
  save: (body: CompositionBody) => void;
  isSaving: boolean;
  error: Error | null;
}

export function CompositionForm({ initial, okText, save, isSaving, error }: Props) {
  const t = useTexts(texts);
  const [form] = Form.useForm<CompositionValue>();
  // Rows that are being added are there with the next rendering only.
  const seen = Form.useWatch((values: CompositionValue) => values, { form, preserve: true }) ?? initial;
  const value = { ...initial, ...seen };
  const submit = () => {
    const { body } = bodyOf(value);
    if (body) save(body);
  };
  return (
    <Form<CompositionValue> form={form} layout="vertical" initialValues={initial} onFinish={submit} style={{ maxWidth: 860 }}>
      <Form.Item
        name="name"
        label={t("name")}
        extra={t("name_hint")}
        rules={[{ required: true, pattern: NAME, message: t("name_rule") }]}
      >
        <Input spellCheck={false} placeholder="search_and_save" />
      </Form.Item>
      <Form.Item name="description" label={t("description")} extra={t("description_hint")}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <Form.Item name="kind" label={t("kind")} extra={t(`kind_${value.kind}_hint`, { references: RESULTS })}>
        <Segments<Kind> aria-label={t("kind")} options={KINDS.map((kind) => ({ value: kind, label: t(`kind_${kind}`) }))} />
      </Form.Item>
      <Form.Item label={t("inputs")} extra={t("inputs_hint", { references: INPUTS })}>
        <InputFields />
      </Form.Item>
      <Form.Item label={t("steps")} extra={t("steps_hint")}>
        <StepFields kind={value.kind} />
      </Form.Item>
      <CheckList value={value} />
      {error && <ErrorNotice error={error} />}
      <Flex gap={8} align="center" wrap>
        <Button type="primary" htmlType="submit" loading={isSaving}>
          {okText}
        </Button>
        {bodyOf(value).body === null && <Typography.Text type="secondary">{t("broken_first")}</Typography.Text>}
      </Flex>
    </Form>
  );
}
