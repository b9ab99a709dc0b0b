/** An earlier way of working that came into play, and the way to it in the laboratory. */
import { BulbOutlined } from "@ant-design/icons";
import { Link } from "react-router";
import { patternPath, usePattern } from "@/api/learned/patterns";
import { patternTexts } from "@/pages/chat/transcript/patterns/texts";
import { useTexts } from "@/i18n";
import { formatPercent } from "@/i18n/format";
import type { EventOf } from "@/stream/events";

const MODES = ["offered", "hint", "used", "repeated", "workflow"] as const;
const OF_WORKFLOW = new Set<string>(["repeated", "workflow"]);

export function PatternLine({ event: { pattern_id, mode, similarity } }: { event: EventOf<"pattern_match"> }) {
  const t = useTexts(patternTexts);
  const pattern = usePattern(pattern_id);
  const known = MODES.find((each) => each === mode) ?? "fits";
  return (
    <div className="line">
      <BulbOutlined aria-hidden />
      <span className="line-reason">
        {t(known, { similarity: formatPercent(similarity) })}{" "}
        {pattern.data && (
          <Link
            // Within a sentence colour alone does not tell a link.
            style={{ textDecoration: "underline" }}
            to={patternPath(pattern_id, OF_WORKFLOW.has(mode) ? "workflow" : undefined)}
          >
            {pattern.data.name}
          </Link>
        )}
        {pattern.error && t("gone")}
      </span>
    </div>
  );
}
