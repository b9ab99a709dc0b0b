/** Candidates by their score: a bar each, what it is made of, and why. */
import { Flex, Typography } from "antd";
import type { ReactNode } from "react";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatNumber } from "@/i18n/format";
import "@/components/scores/scores.css";

export interface Score {
  key: string;
  name: ReactNode;
  /** Between 0 and 1. */
  score: number;
  keyword: number | null;
  semantic: number | null;
  reason: string;
  /** What else there is to say of it: chosen, left out. */
  note?: ReactNode;
  isFaint?: boolean;
}

export function ScoreBars({ scores, label }: { scores: readonly Score[]; label: string }) {
  const t = useTexts(componentTexts);
  const said = useDataText();
  return (
    <ol className="scores" aria-label={label}>
      {scores.map((each) => (
        <li key={each.key} className={each.isFaint ? "faint" : undefined}>
          <Flex justify="space-between" gap={8} wrap align="baseline">
            <span className="score-name">
              {each.name} {each.note}
            </span>
            <span className="score-figure">{formatNumber(each.score)}</span>
          </Flex>
          <div className="score-track" aria-hidden>
            <div className="score-bar" style={{ width: `${Math.round(Math.min(1, Math.max(0, each.score)) * 100)}%` }} />
          </div>
          <Typography.Text type="secondary" className="score-why">
            {[
              each.keyword !== null && t("score_words", { score: formatNumber(each.keyword) }),
              each.semantic !== null && t("score_meaning", { score: formatNumber(each.semantic) }),
              said(each.reason),
            ]
              .filter(Boolean)
              .join(" · ")}
          </Typography.Text>
        </li>
      ))}
    </ol>
  );
}
