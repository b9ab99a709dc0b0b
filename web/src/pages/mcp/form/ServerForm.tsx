/** One form for adding and editing; the server's errors are shown, and the input stays. */
import { App, Button, Collapse, Drawer, Flex, Form, Input, InputNumber, Select } from "antd";
import { ApiError } from "@/api/errors";
import { isAdmin, useMe } from "@/api/me";
import { usePreferences } from "@/app/state/preferences";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { AddressFields } from "@/pages/mcp/form/AddressFields";
import { bodyOf, type Fields, type Scope, type Server } from "@/pages/mcp/form/fields";
import { ProgramFields } from "@/pages/mcp/form/ProgramFields";
import { useServerActions } from "@/pages/mcp/queries";
import { texts } from "@/pages/mcp/texts";

interface Props {
  server: Server | null;
  fields: Fields;
  close: () => void;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const TRANSPORTS = ["stdio", "http", "sse", "ws"] as const;

export function ServerForm({ server, fields, close }: Props) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const me = useMe();
  const projectId = usePreferences((state) => state.projectId);
  const { add, replace } = useServerActions();
  const [form] = Form.useForm<Fields>();
  const transport = Form.useWatch("transport", form) ?? fields.transport;
  const saving = server ? replace : add;
  const scopes: Scope[] = ["user", ...(projectId ? (["project"] as const) : []), ...(isAdmin(me) ? (["tenant"] as const) : [])]; // prettier-ignore
  const save = (said: Fields) => {
    const body = bodyOf({ ...fields, ...said, oauth: { ...fields.oauth, ...said.oauth } });
    const onSuccess = () => {
      void message.success(t("saved", { name: body.name }));
      close();
    };
    if (server) replace.mutate({ server, body }, { onSuccess });
    else {
      const place = said.scope === "project" && projectId ? { project_id: projectId } : {};
      add.mutate({ body, scope: said.scope, ...place }, { onSuccess });
    }
  };
  return (
    <Drawer
      open
      size={560}
      onClose={close}
      title={server ? t("edit_title", { name: server.name }) : t("add_title")}
      footer={
        <Flex justify="end" gap={8}>
          <Button onClick={close}>{t("cancel")}</Button>
          <Button type="primary" loading={saving.isPending} onClick={() => form.submit()}>
            {t("save")}
          </Button>
        </Flex>
      }
    >
      <Form<Fields> form={form} layout="vertical" initialValues={fields} onFinish={save}>
        <Form.Item
          name="name"
          label={t("name")}
          extra={!server && t("name_hint")}
          rules={[{ required: true, pattern: NAME, message: t("name_rule") }]}
        >
          <Input disabled={server !== null} autoFocus={server === null} spellCheck={false} />
        </Form.Item>
        <Form.Item name="scope" label={t("scope")}>
          <Select
            disabled={server !== null}
            options={(server ? [server.scope] : scopes).map((value) => ({
              value,
              label: t(`scope_${value}`),
            }))}
          />
        </Form.Item>
        <Form.Item name="transport" label={t("transport")}>
          <Select
            options={TRANSPORTS.map((value) => ({ value, label: t(`transport_${value}`) }))}
          />
        </Form.Item>
        {transport === "stdio" ? <ProgramFields /> : <AddressFields />}
        <Collapse
          size="small"
          items={[
            {
              key: "more",
              label: t("timeout"),
              forceRender: true,
              children: (
                <Form.Item name="timeout" label={t("timeout")} style={{ margin: 0 }}>
                  <InputNumber min={1} max={600} />
                </Form.Item>
              ),
            },
          ]}
        />
        {saving.error && <ErrorNotice error={saving.error} />}
        {saving.error instanceof ApiError && saving.error.status === 409 && server && (
          <Button onClick={close}>{t("stale_load")}</Button>
        )}
      </Form>
    </Drawer>
  );
}
