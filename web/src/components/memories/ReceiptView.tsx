/** The receipt of something that was forgotten: what went, whether anything is left, and which conversations still say it. */
import { Alert, Flex, Typography } from "antd";
import { Link } from "react-router";
import { eventPath, type Receipt } from "@/api/learned/memories";
import { receiptPlaces } from "@/components/memories/receiptPlaces";
import { memoryTexts } from "@/components/memories/texts";
import { RowsTable } from "@/components/tables/RowsTable";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";

export function ReceiptView({ receipt }: { receipt: Receipt }) {
  const t = useTexts(memoryTexts);
  const { removed, remaining, notes_changed, still_in } = receipt;
  const columns = [{ name: t("where") }, { name: t("how_many"), kind: "integer" }];
  const left = receiptPlaces(remaining, t);
  const gone = receiptPlaces({ ...removed, notes: notes_changed }, t);
  return (
    <Flex vertical gap={12}>
      {left.length === 0 ? (
        <Alert type="success" showIcon title={t("forgotten_clean")} />
      ) : (
        <Alert
          type="error"
          showIcon
          title={t("forgotten_rest")}
          description={left.map(([place, count]) => `${place}: ${formatNumber(count)}`).join(", ")}
        />
      )}
      <RowsTable label={t("removed")} columns={columns} rows={gone} />
      {still_in.length > 0 && (
        <section aria-label={t("still_in")}>
          <Typography.Text type="secondary">{t("still_in")}</Typography.Text>
          <ul style={{ margin: 0, paddingInlineStart: 20 }}>
            {still_in.map(({ session_id, seq_first }) => (
              <li key={`${session_id} ${seq_first}`}>
                <Link to={eventPath(session_id, seq_first)}>{t("still_in_link", { seq: seq_first })}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Flex>
  );
}
