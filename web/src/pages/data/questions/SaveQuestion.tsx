/** Keeps a question under a name; the dialog stays open, with what was typed, when it is refused. */
import { SaveOutlined } from "@ant-design/icons";
import { App, Button, Form, Input, Modal } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { QUESTIONS } from "@/pages/data/places";
import { useProject } from "@/pages/data/queries";
import { useSaveQuestion, type Question } from "@/pages/data/questions/queries";
import { texts } from "@/pages/data/questions/texts";

interface Props {
  ask: { source: string; sql: string };
  chart: Record<string, unknown> | null;
  suggested: string;
  onSaved?: (question: Question) => void;
}

export function SaveQuestion({ ask, chart, suggested, onSaved }: Props) {
  const t = useTexts(texts);
  const inProject = useProject() !== undefined;
  const { message } = App.useApp();
  const [open, setOpen] = useState(false);
  const [form] = Form.useForm<{ name: string }>();
  const save = useSaveQuestion();
  const send = ({ name }: { name: string }) =>
    save.mutate(
      { name, source: ask.source, sql: ask.sql, chart },
      {
        onSuccess: (question) => {
          setOpen(false);
          onSaved?.(question);
          void message.success(t("saved", { name: question.name }));
        },
      },
    );
  return (
    <>
      <Button
        icon={<SaveOutlined />}
        onClick={() => {
          save.reset();
          setOpen(true);
        }}
      >
        {t("save")}
      </Button>
      {save.isSuccess && <Link to={QUESTIONS}>{t("see")}</Link>}
      <Modal
        open={open}
        title={t("save_title")}
        okText={t("save")}
        confirmLoading={save.isPending}
        onOk={form.submit}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <p>
          {t("save_hint")} {inProject && t("save_hint_project")}
        </p>
        {save.error && <ErrorNotice error={save.error} />}
        <Form form={form} layout="vertical" initialValues={{ name: suggested }} onFinish={send} preserve={false}>
          <Form.Item
            name="name"
            label={t("name")}
            rules={[{ required: true, whitespace: true, message: t("name_missing") }]}
          >
            <Input maxLength={200} autoFocus />
          </Form.Item>
        </Form>
      </Modal>
    </>
  );
}
