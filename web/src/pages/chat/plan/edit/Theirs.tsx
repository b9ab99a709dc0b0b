/** What somebody else made of the fields that are changed here too. */
import { Button } from "antd";
import type { Fields } from "@/pages/chat/plan/edit/fields";
import { planEditTexts } from "@/pages/chat/plan/edit/texts";
import { useTexts } from "@/i18n";

interface Props {
  theirs: Partial<Fields>;
  onTake: (fields: Partial<Fields>) => void;
}

export function Theirs({ theirs, onTake }: Props) {
  const t = useTexts(planEditTexts);
  return Object.entries(theirs).map(([name, value]) => {
    const words = Array.isArray(value) ? value.join(", ") : String(value);
    return (
      <div key={name} className="plan-edit-note plan-edit-theirs">
        {t("theirs", { text: words || t("nothing") })}{" "}
        <Button size="small" type="link" onClick={() => onTake({ [name]: value })}>
          {t("take_theirs")}
        </Button>
      </div>
    );
  });
}
