/** The words a memory rests on, as they were said. */
import { memoryTexts } from "@/components/memories/texts";
import { useTexts } from "@/i18n";
import "@/components/memories/memories.css";

export function Quote({ text }: { text: string }) {
  const t = useTexts(memoryTexts);
  if (!text) return null;
  return (
    <blockquote className="memory-quote" aria-label={t("quote")}>
      {text}
    </blockquote>
  );
}
