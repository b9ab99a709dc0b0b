/** The steps of a plan in a dialog: changed, moved by arrows or by dragging, left out, added. */
import { useEffect, useRef, useState } from "react";
import { withFields, withoutAdded, withSkip, type DraftRow, type PlanDraft } from "@/pages/chat/plan/edit/draft";
import { movedOnto, movedBy, orderOf } from "@/pages/chat/plan/edit/order";
import { StepEditor, type Place } from "@/pages/chat/plan/edit/StepEditor";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { useTexts } from "@/i18n";
import type { Plan } from "@/stream/conversation";

interface Props {
  plan: Plan;
  draft: PlanDraft;
  rows: readonly DraftRow[];
  change: (draft: PlanDraft) => void;
}

export function StepList({ plan, draft, rows, change }: Props) {
  const t = useTexts(planEditTexts);
  const [said, setSaid] = useState("");
  const [dragged, setDragged] = useState<string | null>(null);
  const focusOn = useMovedFocus(rows);
  const order = orderOf(plan, draft);
  const place = (key: string, by: -1 | 1): Place => {
    const moved = movedBy(order, key, by);
    const at = moved.indexOf(key);
    return {
      possible: at !== order.indexOf(key),
      move: () => {
        focusOn(key, by);
        setSaid(t("moved", { place: at + 1, all: order.length }));
        change({ ...draft, order: moved });
      },
    };
  };
  return (
    <>
      <ol className="plan-edit-steps" aria-label={t("steps")}>
        {rows.map((row) => (
          <li
            key={row.key}
            className={row.key === dragged ? "plan-edit-step dragged" : "plan-edit-step"}
            onDragOver={(event) => dragged && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged) change({ ...draft, order: movedOnto(order, dragged, row.key) });
              setDragged(null);
            }}
          >
            <StepEditor
              row={row}
              steps={plan.steps}
              up={place(row.key, -1)}
              down={place(row.key, 1)}
              onDrag={setDragged}
              onFields={(fields) => change(withFields(plan, draft, row.key, fields))}
              onSkip={(skip) =>
                change(row.step ? withSkip(draft, row.step.number, skip) : withoutAdded(draft, row.key))
              }
            />
          </li>
        ))}
      </ol>
      <div role="status" className="visually-hidden">
        {said}
      </div>
    </>
  );
}

/** A step that moves takes its arrows along; the browser may lose the focus on them. */
function useMovedFocus(rows: readonly DraftRow[]): (key: string, by: -1 | 1) => void {
  const wanted = useRef<{ key: string; by: number } | null>(null);
  useEffect(() => {
    if (!wanted.current) return;
    const { key, by } = wanted.current;
    wanted.current = null;
    const arrows = [...document.querySelectorAll<HTMLButtonElement>(`[data-step="${CSS.escape(key)}"]`)];
    const [up, down] = arrows;
    const pressed = by < 0 ? up : down;
    (pressed?.disabled ? (by < 0 ? down : up) : pressed)?.focus();
  }, [rows]);
  return (key, by) => {
    wanted.current = { key, by };
  };
}
