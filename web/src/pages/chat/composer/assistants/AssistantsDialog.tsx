/** The tenant's assistants: whom there is to ask, and who may change whom. */
import { Button, Flex, Modal, Popconfirm, Tag, Typography } from "antd";
import { useState } from "react";
import { isAdmin, useMe } from "@/api/me";
import { Entries, Entry } from "@/components/tables/Entries";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { AssistantForm } from "@/pages/chat/composer/assistants/AssistantForm";
import {
  useAssistantActions,
  useAssistants,
  type Assistant,
} from "@/pages/chat/composer/assistants/queries";
import { assistantTexts } from "@/pages/chat/composer/assistants/texts";
import { useTexts } from "@/i18n";

interface Props {
  /** Hears of one that was made here, to be used at once. */
  onMade: (assistantId: string) => void;
  onClose: () => void;
}

export function AssistantsDialog({ onMade, onClose }: Props) {
  const t = useTexts(assistantTexts);
  const me = useMe();
  const assistants = useAssistants();
  const { remove } = useAssistantActions();
  const [writing, setWriting] = useState<{ assistant?: Assistant } | null>(null);
  if (writing) {
    return (
      <AssistantForm assistant={writing.assistant} onMade={onMade} close={() => setWriting(null)} />
    );
  }
  const mayChange = (each: Assistant) =>
    !each.built_in && (isAdmin(me) || each.owner_id === me.user_id);
  return (
    <Modal open title={t("title")} onCancel={onClose} footer={null}>
      <Typography.Paragraph type="secondary">{t("hint")}</Typography.Paragraph>
      {remove.error && <ErrorNotice error={remove.error} />}
      <Resource query={assistants}>
        {(all) => (
          <>
            <Entries>
              {all.map((each) => (
                <Entry
                  key={each.agent_id}
                  title={
                    <>
                      {each.name} {each.built_in && <Tag>{t("built_in")}</Tag>}
                      {!each.is_active && <Tag color="orange">{t("off")}</Tag>}
                    </>
                  }
                  line={[each.model ?? t("default_model"), each.description]
                    .filter(Boolean)
                    .join(" · ")}
                  actions={
                    mayChange(each) && (
                      <>
                        <Button
                          size="small"
                          aria-label={t("change_of", { name: each.name })}
                          onClick={() => setWriting({ assistant: each })}
                        >
                          {t("change")}
                        </Button>
                        <Popconfirm
                          title={t("remove_ask", { name: each.name })}
                          description={<div style={{ maxWidth: 280 }}>{t("remove_hint")}</div>}
                          okText={t("remove")}
                          okButtonProps={{ danger: true }}
                          onConfirm={() => remove.mutate(each.agent_id)}
                        >
                          <Button
                            size="small"
                            danger
                            aria-label={t("remove_of", { name: each.name })}
                          >
                            {t("remove")}
                          </Button>
                        </Popconfirm>
                      </>
                    )
                  }
                />
              ))}
            </Entries>
            {all.length === 1 && (
              <Typography.Paragraph type="secondary">{t("only_built_in")}</Typography.Paragraph>
            )}
          </>
        )}
      </Resource>
      <Flex justify="end" style={{ marginTop: 16 }}>
        <Button type="primary" onClick={() => setWriting({})}>
          {t("make")}
        </Button>
      </Flex>
    </Modal>
  );
}
