import { Checkbox, Flex, Form, Input, Select } from "antd";
import type { Schemas } from "@/api/client";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useKeyActions } from "@/pages/keys/queries";
import { texts } from "@/pages/keys/texts";

const SCOPES = ["read", "chat", "files", "admin"] as const;
const DAY_MS = 86_400_000;

interface Fields {
  name: string;
  scopes?: (typeof SCOPES)[number][];
  days: number;
}

interface Props {
  close: () => void;
  made: (created: Schemas["KeyCreated"]) => void;
}

export function CreateKey({ close, made }: Props) {
  const t = useTexts(texts);
  const { create } = useKeyActions();
  const submit = async ({ name, scopes, days }: Fields) =>
    made(
      await create.mutateAsync({
        name,
        scopes: scopes?.length ? scopes : null,
        expires_at: days ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
      }),
    );
  return (
    <FormDialog<Fields>
      title={t("create")}
      okText={t("create")}
      initialValues={{ days: 90 }}
      submit={submit}
      close={close}
    >
      <Form.Item
        name="name"
        label={t("name")}
        extra={t("name_hint")}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <Input autoFocus maxLength={200} />
      </Form.Item>
      <Form.Item name="scopes" label={t("scopes")} extra={t("scopes_hint")}>
        <Checkbox.Group>
          <Flex vertical gap={4}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope}>
                {t(`scope_${scope}`)}
              </Checkbox>
            ))}
          </Flex>
        </Checkbox.Group>
      </Form.Item>
      <Form.Item name="days" label={t("expires")}>
        <Select
          options={[
            ...[7, 30, 90].map((count) => ({ value: count, label: t("days", { count }) })),
            { value: 365, label: t("year") },
            { value: 0, label: t("never") },
          ]}
        />
      </Form.Item>
    </FormDialog>
  );
}
