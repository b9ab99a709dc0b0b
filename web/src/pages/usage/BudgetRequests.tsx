/** Runs that stopped at a budget, to be continued or ended. */
import { Alert, App, Button, Flex } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { LinkButton } from "@/components/links/LinkButton";
import { useTexts } from "@/i18n";
import { useBudgetActions, useBudgetRequests } from "@/pages/usage/queries";
import { texts } from "@/pages/usage/texts";

export function BudgetRequests() {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const waiting = useBudgetRequests();
  const { answer } = useBudgetActions();
  const say = (id: string, type: "approve" | "reject") =>
    answer.mutate({ id, type }, { onSuccess: () => void message.success(t("answered")) });
  return (
    <Flex vertical gap={8} style={{ marginBottom: waiting.data?.length ? 16 : 0 }}>
      {waiting.data?.map(({ interrupt_id, session_id, request }) => (
        <Alert
          key={interrupt_id}
          type="warning"
          showIcon
          title={t("waiting")}
          description={
            <>
              <p style={{ marginTop: 0 }}>{String(request.question ?? request.context ?? "")}</p>
              <Flex gap={8} wrap>
                <Button
                  type="primary"
                  loading={answer.isPending}
                  onClick={() => say(interrupt_id, "approve")}
                >
                  {t("approve")}
                </Button>
                <Button danger loading={answer.isPending} onClick={() => say(interrupt_id, "reject")}>
                  {t("reject")}
                </Button>
                <LinkButton to={`/chat/${session_id}`}>{t("chat")}</LinkButton>
              </Flex>
            </>
          }
        />
      ))}
      {answer.error && <ErrorNotice error={answer.error} />}
    </Flex>
  );
}
