import { App, Form, InputNumber, Modal, Select } from "antd";
import type { Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { usePeople } from "@/api/names";
import { useProjects } from "@/api/projects";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useBudgetActions, type Budget } from "@/pages/usage/queries";
import { texts } from "@/pages/usage/texts";

type Change = Schemas["BudgetChange"];
const SCOPES = ["user", "project", "tenant"] as const;

export function BudgetForm({ budget, close }: { budget: Budget | null; close: () => void }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const me = useMe();
  const people = usePeople(true);
  const projects = useProjects();
  const { set } = useBudgetActions();
  const [form] = Form.useForm<Change>();
  const scope = Form.useWatch("scope", form) ?? budget?.scope ?? "user";
  const choices =
    scope === "user"
      ? (people.data ?? []).map((each) => ({
          value: each.user_id,
          label: each.display_name || each.username || each.user_id,
        }))
      : (projects.data ?? []).map((each) => ({ value: each.project_id, label: each.name }));
  const save = (said: Change) =>
    set.mutate(
      {
        scope: said.scope,
        scope_id: said.scope === "tenant" ? me.tenant_id : said.scope_id,
        period: said.period,
        cost_max: said.cost_max ?? null,
        tokens_max: said.tokens_max ?? null,
      },
      { onSuccess: () => (void message.success(t("saved")), close()) },
    );
  return (
    <Modal
      open
      title={t("budget_title")}
      okText={t("save")}
      cancelText={t("cancel")}
      confirmLoading={set.isPending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <Form<Change>
        form={form}
        layout="vertical"
        initialValues={budget ?? { scope: "user", period: "month" }}
        onFinish={save}
      >
        <Form.Item name="scope" label={t("scope")}>
          <Select
            disabled={budget !== null}
            options={SCOPES.map((value) => ({ value, label: t(`scope_${value}`) }))}
            onChange={() => form.setFieldValue("scope_id", undefined)}
          />
        </Form.Item>
        {scope !== "tenant" && (
          <Form.Item
            name="scope_id"
            label={t("who")}
            rules={[{ required: true, message: t("required") }]}
          >
            <Select
              disabled={budget !== null}
              showSearch={{ optionFilterProp: "label" }}
              options={choices}
            />
          </Form.Item>
        )}
        <Form.Item name="period" label={t("per")}>
          <Select
            disabled={budget !== null}
            options={(["day", "month"] as const).map((value) => ({ value, label: t(`per_${value}`) }))}
          />
        </Form.Item>
        <Form.Item name="cost_max" label={t("cost_max")}>
          <InputNumber min={0} max={1_000_000} prefix="$" style={{ width: "100%" }} />
        </Form.Item>
        <Form.Item
          name="tokens_max"
          label={t("tokens_max")}
          dependencies={["cost_max"]}
          rules={[
            {
              validator: (_, value: number | null | undefined) =>
                (value ?? form.getFieldValue("cost_max") ?? null) === null
                  ? Promise.reject(new Error(t("one_needed")))
                  : Promise.resolve(),
            },
          ]}
        >
          <InputNumber min={0} precision={0} style={{ width: "100%" }} />
        </Form.Item>
        {set.error && <ErrorNotice error={set.error} />}
      </Form>
    </Modal>
  );
}
