/** How full the model's window is, and what the session has cost. */
import { WarningOutlined } from "@ant-design/icons";
import { useQueryClient } from "@tanstack/react-query";
import { Button, Popover } from "antd";
import { contextParts } from "@/pages/chat/header/contextParts";
import { Ring } from "@/pages/chat/header/Ring";
import { nearBudgets, totalOf, type NearBudget, type Total } from "@/pages/chat/header/spent";
import { headerTexts } from "@/pages/chat/header/texts";
import { useLiveChange } from "@/pages/chat/session/live";
import { keys, useContext } from "@/pages/chat/session/queries";
import { formatCompact, formatMoney, formatNumber, formatPercent } from "@/i18n/format";
import { useTexts, type Say } from "@/i18n";
import { useWords } from "@/i18n/words.texts";
import type { Conversation } from "@/stream/conversation";

interface Props {
  sessionId: string;
  conversation: Conversation;
}

export function ContextMeter({ sessionId, conversation }: Props) {
  const t = useTexts(headerTexts);
  const word = useWords();
  const queries = useQueryClient();
  const report = useContext(sessionId).data;
  const total = totalOf(conversation);
  const near = nearBudgets(conversation);
  // Each call of the model adds to the total, and was made with another context.
  useLiveChange(sessionId, conversation.lastSeq, `${conversation.activeRunId} ${total.tokens}`, () => {
    void queries.invalidateQueries({ queryKey: keys.context(sessionId) });
  });
  const used = report ? (report.reported_tokens ?? report.estimated_tokens) : 0;
  const share = report && report.token_budget > 0 ? used / report.token_budget : 0;
  const cost = costText(total, t);
  const empty = !report && total.tokens === 0;
  const budgetOf = ({ scope, period }: NearBudget) =>
    `${word("scope", scope)}, ${word("period", period)}`;
  const rows: [string, string][] = [
    ...(report
      ? [
          [t("context"), t("context_used", { used: formatNumber(used), all: formatNumber(report.token_budget) })] as [string, string],
          ...contextParts(report, used).map(
            ([part, tokens]): [string, string] => [t(part), t("part_about", { tokens: formatNumber(tokens) })],
          ),
        ]
      : []),
    ...(report?.cached_share != null
      ? [[t("cached"), formatPercent(report.cached_share)] as [string, string]]
      : []),
    [`${t("spent")}: ${t("tokens")}`, formatNumber(total.tokens)],
    [`${t("spent")}: ${t("cost")}`, cost],
    ...near.map((each): [string, string] => [budgetOf(each), formatPercent(each.share)]),
  ];
  return (
    <Popover
      trigger="click"
      content={
        <dl className="chat-meter">
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      }
    >
      <Button
        type="text"
        size="small"
        aria-label={
          empty
            ? t("meter_empty")
            : t("meter", { share: formatPercent(share), tokens: formatCompact(total.tokens), cost })
        }
      >
        <Ring share={share} />
        {!empty && (
          <span className="chat-meter-text">
            {formatPercent(share)} ·{" "}
            {formatMoney(total.cost, total.currency) ?? t("cost_unknown")}
          </span>
        )}
        {near.map((each) => (
          <WarningOutlined
            key={budgetOf(each)}
            aria-label={t("budget_near", { scope: budgetOf(each), share: formatPercent(each.share) })}
          />
        ))}
      </Button>
    </Popover>
  );
}

function costText(total: Total, t: Say<keyof typeof headerTexts.en>): string {
  const known = formatMoney(total.cost, total.currency);
  if (known === null) return t("cost_unknown");
  return total.partly ? t("cost_partly", { cost: known }) : known;
}
