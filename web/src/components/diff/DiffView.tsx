/** What changed in a text: a unified diff with its signs, coloured, long ones folded. */
import { componentTexts } from "@/components/texts";
import { diffCounts, diffLines, type DiffLine } from "@/components/diff/diffLines";
import { Folded } from "@/components/page/Folded";
import { useTexts } from "@/i18n";
import "@/components/diff/diff.css";

export function DiffView({ diff }: { diff: string }) {
  return <DiffLines lines={diffLines(diff)} />;
}

export function DiffLines({ lines }: { lines: readonly DiffLine[] }) {
  const t = useTexts(componentTexts);
  return (
    <div className="diff">
      <DiffCounts {...diffCounts(lines)} />
      <Folded lines={lines}>
        {(shown) => (
          <pre tabIndex={0} role="group" aria-label={t("diff")}>
            {shown.map((line, at) => (
              <span key={at} className={line.kind}>
                {line.text || " "}
              </span>
            ))}
          </pre>
        )}
      </Folded>
    </div>
  );
}

export function DiffCounts({ added, removed }: { added: number; removed: number }) {
  const t = useTexts(componentTexts);
  return (
    <span className="diff-counts">
      <span className="added" title={t("lines_added", { count: added })}>
        +{added}
      </span>{" "}
      <span className="removed" title={t("lines_removed", { count: removed })}>
        −{removed}
      </span>
    </span>
  );
}
