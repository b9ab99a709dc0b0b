/** A database by its address, with the advice that keeps it safe; the same form changes one. */
import { Alert, Button, Drawer, Flex, Form, Input, Select } from "antd";
import { useNavigate } from "react-router";
import { CodeLine } from "@/components/code/CodeLine";
import type { Reading } from "@/api/readings";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { ReadingFields } from "@/components/readings/ReadingFields";
import { useTexts } from "@/i18n";
import { sourceLink } from "@/pages/data/places";
import type { Source } from "@/pages/data/queries";
import { useChangeSource, useCreateSource } from "@/pages/data/sources/queries";
import { texts } from "@/pages/data/sources/texts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const READ_ONLY_LOGIN = [
  "CREATE ROLE reader LOGIN PASSWORD '…'; GRANT pg_read_all_data TO reader;",
  "CREATE USER reader IDENTIFIED BY '…'; GRANT SELECT ON shop.* TO reader;",
];

interface Fields {
  name: string;
  location: string;
  description: string;
  personal: string[];
  hidden: string[];
  reading?: Reading;
}

interface Props {
  source: Source | null;
  close: () => void;
}

export function SourceForm({ source, close }: Props) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const [form] = Form.useForm<Fields>();
  const create = useCreateSource();
  const change = useChangeSource(source?.name ?? "", source?.project_id ?? null);
  const pending = create.isPending || change.isPending;
  const send = ({ name, location, ...rest }: Fields) => {
    if (source === null) {
      create.mutate({ name, location, ...rest }, { onSuccess: () => (close(), void navigate(sourceLink(name))) });
    } else {
      const moved = location && location !== source.place ? { location } : {};
      change.mutate({ ...rest, ...moved, version: source.version }, { onSuccess: close });
    }
  };
  return (
    <Drawer
      open
      onClose={close}
      size={520}
      title={source ? t("form_title_change", { name: source.name }) : t("form_title")}
      footer={
        <Flex justify="end">
          <Button type="primary" loading={pending} onClick={form.submit}>
            {source ? t("save") : t("save_add")}
          </Button>
        </Flex>
      }
    >
      {(create.error ?? change.error) && <ErrorNotice error={create.error ?? change.error} />}
      <Form<Fields>
        form={form}
        layout="vertical"
        onFinish={send}
        initialValues={{
          name: source?.name ?? "",
          location: source?.place ?? "",
          description: source?.description ?? "",
          personal: source?.personal ?? [],
          hidden: source?.hidden ?? [],
          reading: source?.reading,
        }}
      >
        {!source && (
          <Form.Item name="name" label={t("name")} extra={t("name_hint")} rules={[{ required: true, pattern: NAME, message: t("name_wrong") }]}>
            <Input placeholder="shop" autoComplete="off" autoFocus />
          </Form.Item>
        )}
        <Form.Item
          name="location"
          label={t("location")}
          extra={source ? t("location_keep") : t("location_hint")}
          rules={[{ required: true, message: t("location_missing") }]}
        >
          <Input placeholder="postgresql://reader:password@db.example.com/shop" autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Alert
          type="info"
          showIcon
          style={{ marginBottom: 16 }}
          title={t("read_only_title")}
          description={
            <Flex vertical gap={4}>
              {t("read_only")}
              {READ_ONLY_LOGIN.map((line) => (
                <CodeLine key={line} text={line} />
              ))}
            </Flex>
          }
        />
        <Form.Item name="description" label={t("description")} extra={t("description_hint")}>
          <Input.TextArea autoSize={{ minRows: 1, maxRows: 4 }} maxLength={1000} />
        </Form.Item>
        <Patterns name="personal" label={t("personal")} hint={t("personal_hint")} example="customers.phone" />
        <Patterns name="hidden" label={t("hidden")} hint={t("hidden_hint")} example="staff.*" />
        {source?.kind === "files" && <ReadingFields within={["reading"]} />}
      </Form>
    </Drawer>
  );
}

interface PatternsProps {
  name: "personal" | "hidden";
  label: string;
  hint: string;
  example: string;
}

const Patterns = ({ name, label, hint, example }: PatternsProps) => (
  <Form.Item name={name} label={label} extra={hint}>
    <Select mode="tags" placeholder={example} tokenSeparators={[",", " "]} open={false} suffixIcon={null} />
  </Form.Item>
);
