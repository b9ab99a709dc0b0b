/** One result: what it says, how much each leg gave to its score, and where it comes from. */
import { Button, Flex, Typography } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { memoryPath } from "@/api/learned/memories";
import { MemoryTags } from "@/components/memories/MemoryTags";
import { Quote } from "@/components/memories/Quote";
import { SourceLine } from "@/components/memories/SourceLine";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { validText } from "@/pages/learned/memory/list/validText";
import type { Found } from "@/pages/learned/memory/queries";
import { LegBar } from "@/pages/learned/memory/search/LegBar";
import { texts } from "@/pages/learned/memory/texts";

interface Props {
  found: Found;
  /** The best score of this search: bars are as long as it is. */
  best: number;
}

export function Result({ found: { memory, score, legs }, best }: Props) {
  const t = useTexts(texts);
  const [open, setOpen] = useState(false);
  const { id, content, source, recorded_at } = memory;
  return (
    <li>
      <Flex justify="space-between" gap={8} wrap align="baseline">
        <Flex gap={8} wrap align="center" style={{ minWidth: 0 }}>
          <Link to={memoryPath(id)} className="memory-text">
            {content}
          </Link>
          <MemoryTags memory={memory} />
        </Flex>
        <span className="score-figure" title={t("score")}>
          {formatNumber(score)}
        </span>
      </Flex>
      <LegBar legs={legs} best={best} />
      <Flex gap={8} wrap align="center">
        <Typography.Text type="secondary">{validText(memory, t)}</Typography.Text>
        <Button size="small" type="link" aria-expanded={open} aria-label={t("source_of", { text: content })} onClick={() => setOpen(!open)}>
          {t("source")}
        </Button>
      </Flex>
      {open && (
        <div className="memory-source">
          <Quote text={source.quote} />
          <Typography.Text type="secondary">
            <SourceLine source={source} at={recorded_at} text={content} />
          </Typography.Text>
        </div>
      )}
    </li>
  );
}
