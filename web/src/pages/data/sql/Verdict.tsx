/** The server's check of the SQL before it runs, shown once typing pauses. */
import { CheckCircleOutlined, ExclamationCircleOutlined, InfoCircleOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Typography } from "antd";
import { api, dataOf } from "@/api/client";
import { ApiError, messageOf } from "@/api/errors";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatNumber } from "@/i18n/format";
import { useProject } from "@/pages/data/queries";
import { useSettled } from "@/components/forms/useSettled";
import { texts } from "@/pages/data/sql/texts";

interface Props {
  source: string;
  sql: string;
}

export function Verdict(props: Props) {
  const t = useTexts(texts);
  useDataText(); // drawn again once the sentences of `messageOf` are there
  const { source, sql } = useSettled(props, 600);
  const project_id = useProject();
  const checked = useQuery({
    queryKey: ["data", "check", project_id, source, sql],
    queryFn: () =>
      dataOf(api.POST("/api/v1/data/check", { params: { query: { project_id } }, body: { source, sql } })),
    enabled: source !== "" && sql.trim() !== "",
    retry: false,
    staleTime: 30_000,
  });
  const refused = checked.data?.problem;
  const problem = refused ? new ApiError(refused.error_code, refused.message, 400) : checked.error;
  return (
    <div role="status" style={{ minHeight: 22, overflowWrap: "break-word" }}>
      {checked.isFetching && !checked.data && <Typography.Text type="secondary">{t("checking")}</Typography.Text>}
      {problem && (
        <span>
          <ExclamationCircleOutlined aria-hidden style={{ color: "var(--da-color-error)" }} />{" "}
          {messageOf(problem)}
        </span>
      )}
      {checked.data?.ok &&
        (checked.data.expensive ? (
          <span>
            <InfoCircleOutlined aria-hidden style={{ color: "var(--da-color-warning)" }} />{" "}
            {checked.data.est_rows === null
              ? t("will_ask")
              : t("will_ask_rows", { count: formatNumber(checked.data.est_rows) })}
          </span>
        ) : (
          <Typography.Text type="secondary">
            <CheckCircleOutlined aria-hidden style={{ color: "var(--da-color-success)" }} />{" "}
            {checked.data.est_rows === null
              ? t("fine")
              : t("fine_rows", { count: formatNumber(checked.data.est_rows) })}
          </Typography.Text>
        ))}
    </div>
  );
}
