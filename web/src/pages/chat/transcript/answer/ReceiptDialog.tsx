/** The receipt of a figure: the query as it ran, and its rows. */
import { useQuery } from "@tanstack/react-query";
import { Flex, Modal, Typography } from "antd";
import { api, dataOf } from "@/api/client";
import { CodeBlock } from "@/components/code/CodeBlock";
import { Resource } from "@/components/states/Resource";
import { ResultGrid } from "@/components/tables/ResultGrid";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";

export default function ReceiptDialog({ resultId, close }: { resultId: string; close: () => void }) {
  const t = useTexts(transcriptTexts);
  const info = useQuery({
    queryKey: ["data", "result", resultId],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/data/results/{result_id}", { params: { path: { result_id: resultId } } }),
      ),
  });
  return (
    <Modal open title={t("receipt", { id: resultId })} width={900} footer={null} onCancel={close}>
      <Resource query={info}>
        {(result) => (
          <Flex vertical gap={12}>
            <Typography.Text type="secondary">
              {t("ran_at", { source: result.source, at: formatTime(result.created_at) })}
            </Typography.Text>
            <CodeBlock language="sql" text={result.normalized_sql} />
            <ResultGrid resultId={resultId} />
          </Flex>
        )}
      </Resource>
    </Modal>
  );
}
