/** What the agent says, with a receipt on each figure. */
import { Typography } from "antd";
import { useCallback, useMemo } from "react";
import { CopyButton } from "@/components/code/CodeLine";
import { Markdown, type DrawMark } from "@/components/markdown/Markdown";
import { withMarks } from "@/components/markdown/markdownMarks";
import { CitationMark } from "@/pages/chat/transcript/answer/CitationMark";
import { FigureMark } from "@/pages/chat/transcript/answer/FigureMark";
import { citationsOf, figuresOf, type Figure } from "@/pages/chat/transcript/answer/figures";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { TextItem } from "@/stream/conversation";
import { useTexts } from "@/i18n";

const NAMED_MAX = 12;

export function Answer({ item }: { item: TextItem }) {
  const { text, figures: found, unsourced, final } = item;
  const figures = useMemo(() => figuresOf({ text, figures: found, unsourced }), [text, found, unsourced]);
  const citations = useMemo(() => (final ? citationsOf(text) : []), [text, final]);
  const marked = useMemo(() => withMarks(text, [...citations, ...figures]), [text, citations, figures]);
  const drawMark = useCallback<DrawMark>(
    (index, children) => {
      const citation = citations[index];
      if (citation) return <CitationMark citation={citation} />;
      const figure = figures[index - citations.length];
      return figure ? <FigureMark figure={figure}>{children}</FigureMark> : children;
    },
    [citations, figures],
  );
  return (
    <div className="answer">
      <Markdown text={marked} streaming={!final} drawMark={drawMark} />
      {figures.length > 0 && <FigureSummary figures={figures} />}
      {final && (
        <div className="row-actions">
          <CopyButton text={text} />
        </div>
      )}
    </div>
  );
}

/** Says in words what the marks say in the text. */
function FigureSummary({ figures }: { figures: readonly Figure[] }) {
  const t = useTexts(transcriptTexts);
  const none = figures.filter(({ source }) => source.kind === "none");
  const unqueried = none.filter(({ source }) => source.kind === "none" && source.reason === "no_query");
  const without = none.filter((figure) => !unqueried.includes(figure));
  const valueOnly = figures.filter(({ source }) => source.kind === "value");
  const traced = figures.length - none.length - valueOnly.length;
  return (
    <div className="figure-summary">
      {traced > 0 && (
        <Typography.Text type="secondary" className="small">
          {traced === 1 ? t("figures_traced_one") : t("figures_traced", { count: traced })}
        </Typography.Text>
      )}
      {valueOnly.length > 0 && (
        <span className="small value-only-note">≈ {t("figures_value", { figures: named(valueOnly) })}</span>
      )}
      {without.length > 0 && (
        <span className="small unsourced-note">? {t("figures_unsourced", { figures: named(without) })}</span>
      )}
      {unqueried.length > 0 && (
        <span className="small unsourced-note">? {t("figures_no_query", { figures: named(unqueried) })}</span>
      )}
    </div>
  );
}

function named(figures: readonly Figure[]): string {
  const texts = figures.slice(0, NAMED_MAX).map((figure) => figure.text);
  return [...texts, ...(figures.length > NAMED_MAX ? ["…"] : [])].join(", ");
}
