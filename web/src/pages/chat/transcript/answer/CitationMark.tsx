/** A result that an answer names: a small number that opens its query and rows. */
import { lazy, Suspense, useState } from "react";
import type { Citation } from "@/pages/chat/transcript/answer/figures";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useTexts } from "@/i18n";

const ReceiptDialog = lazy(() => import("@/pages/chat/transcript/answer/ReceiptDialog"));

export function CitationMark({ citation: { resultId, number } }: { citation: Citation }) {
  const t = useTexts(transcriptTexts);
  const [open, setOpen] = useState(false);
  const label = t("receipt", { id: resultId });
  return (
    <>
      <button type="button" className="citation" title={label} aria-label={label} onClick={() => setOpen(true)}>
        {number}
      </button>
      {open && (
        <Suspense>
          <ReceiptDialog resultId={resultId} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
