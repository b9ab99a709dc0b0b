/** Something a person wants remembered: in their words, since when, and where it counts. */
import { App, Button, Flex, Form, Input, Select, Typography } from "antd";
import { Link, useNavigate } from "react-router";
import { memoryPath, SCOPE_KINDS, type MemoryScope } from "@/api/learned/memories";
import { useThingTitle } from "@/app/navigation/title";
import { usePreferences } from "@/app/state/preferences";
import { memoryTexts } from "@/components/memories/texts";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { momentOf } from "@/pages/learned/memory/detail/days";
import { MemoryFields, type MemoryValues } from "@/pages/learned/memory/detail/MemoryFields";
import { useMemoryChanges } from "@/pages/learned/memory/queries";
import { texts } from "@/pages/learned/memory/texts";

interface NewValues extends MemoryValues {
  kind: MemoryScope["kind"];
  since: string;
}

const EMPTY: NewValues = { content: "", type: "fact", kind: "user", since: "", expires: "" };

export function NewMemory() {
  const t = useTexts(texts);
  const m = useTexts(memoryTexts);
  const navigate = useNavigate();
  const { message } = App.useApp();
  const projectId = usePreferences((state) => state.projectId);
  const { add } = useMemoryChanges();
  useThingTitle(t("new"));
  // In a project only where one is chosen.
  const kinds = SCOPE_KINDS.filter((each) => each !== "project" || projectId !== null);
  const send = async ({ content, type, kind, since, expires }: NewValues) => {
    const valid_from = momentOf(since);
    const added = await add
      .mutateAsync({
        content: content.trim(),
        type,
        kind,
        expires_at: momentOf(expires),
        ...(valid_from && { valid_from }),
        ...(kind === "project" && { project_id: projectId }),
      })
      .catch(() => null);
    if (!added) return;
    void message.success(t(`done_${added.action}`));
    void navigate(memoryPath(added.memory.id));
  };
  return (
    <Flex vertical gap={12} style={{ maxWidth: 720 }}>
      <Link to="/memory/all">← {t("all")}</Link>
      <Typography.Text type="secondary">{t("new_hint")}</Typography.Text>
      <Form<NewValues>
        // The page has an element whose id is "content".
        name="memory"
        layout="vertical"
        requiredMark="optional"
        initialValues={EMPTY}
        onFinish={(values) => void send(values)}
      >
        <MemoryFields />
        <Form.Item name="since" label={t("since_label")} extra={t("since_hint")}>
          <Input type="date" style={{ maxWidth: 260 }} />
        </Form.Item>
        <Form.Item name="kind" label={t("kind")}>
          <Select style={{ maxWidth: 260 }} options={kinds.map((each) => ({ value: each, label: m(`kind_${each}`) }))} />
        </Form.Item>
        {add.error && <ErrorNotice error={add.error} />}
        <Button type="primary" htmlType="submit" loading={add.isPending}>
          {t("add")}
        </Button>
      </Form>
    </Flex>
  );
}
