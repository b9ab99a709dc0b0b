/** A figure in an answer: press it to see where it comes from. */
import { Button, Popover, Typography } from "antd";
import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Figure } from "@/pages/chat/transcript/answer/figures";
import { transcriptTexts, type TranscriptKey } from "@/pages/chat/transcript/texts";
import { useTexts, type Say } from "@/i18n";

const ReceiptDialog = lazy(() => import("@/pages/chat/transcript/answer/ReceiptDialog"));

type Kind = Figure["source"]["kind"];
const CLASSES: Record<Kind, string> = {
  result: "figure",
  output: "figure",
  value: "figure value-only",
  none: "figure unsourced",
};
const TITLES: Record<Kind, TranscriptKey> = {
  result: "figure",
  output: "figure",
  value: "figure_value",
  none: "figure_none",
};

export function FigureMark({ figure, children }: { figure: Figure; children: ReactNode }) {
  const t = useTexts(transcriptTexts);
  // A page may hold hundreds of figures: what shows on a press is made on the first press.
  const [open, setOpen] = useState<boolean | null>(null);
  const [dialog, setDialog] = useState(false);
  const { kind } = figure.source;
  const none = kind === "none";
  const title = t(TITLES[kind], { text: figure.text });
  const button = (
    <button
      type="button"
      className={CLASSES[kind]}
      aria-label={`${figure.text}. ${title}`}
      aria-expanded={open === true}
      onClick={open === null ? () => setOpen(true) : undefined}
    >
      {children}
      {none && <sup aria-hidden>?</sup>}
      {kind === "value" && <sup aria-hidden>≈</sup>}
    </button>
  );
  if (open === null) return button;
  const resultId = "resultId" in figure.source ? figure.source.resultId : null;
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        trigger="click"
        title={title}
        content={
          <div className="figure-receipt">
            {words(figure, t).map((line) => (
              <Typography.Paragraph key={line}>{line}</Typography.Paragraph>
            ))}
            {resultId !== null && (
              <Button
                size="small"
                onClick={() => {
                  setOpen(false);
                  setDialog(true);
                }}
              >
                {t("figure_rows")} · {resultId}
              </Button>
            )}
          </div>
        }
      >
        {button}
      </Popover>
      {dialog && resultId !== null && (
        <Suspense>
          <ReceiptDialog resultId={resultId} close={() => setDialog(false)} />
        </Suspense>
      )}
    </>
  );
}

function words({ source }: Figure, t: Say<TranscriptKey>): string[] {
  if (source.kind === "output") return [t("figure_output", { detail: source.detail })];
  if (source.kind === "none") {
    const key = `reason_${source.reason}`;
    return [key in transcriptTexts.en ? t(key as TranscriptKey) : source.reason];
  }
  const key = `derivation_${source.derivation}`;
  const derivation = key in transcriptTexts.en ? t(key as TranscriptKey) : source.derivation;
  const from = t("figure_from", { derivation, detail: source.detail });
  if (source.kind === "value") return [from, t("figure_value_meaning")];
  return [from, source.cited ? t("figure_cited") : t("figure_result")];
}
