/** What happened, what to try, and the button that tries it. */
import { Alert, Button } from "antd";
import { ApiError, nextStep, saidOf } from "@/api/errors";
import { errorTexts } from "@/api/errors.texts";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTexts(componentTexts);
  const e = useTexts(errorTexts);
  const id = error instanceof ApiError ? error.requestId : null;
  const next = nextStep(error);
  const { title, detail } = saidOf(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      style={{ margin: "8px 0" }}
      title={title}
      description={
        (detail || next || id) && (
          <>
            {detail && (
              <div lang="en" style={{ overflowWrap: "anywhere" }}>
                {detail}
              </div>
            )}
            {next} {id && <small>{e("request", { id })}</small>}
          </>
        )
      }
      action={
        retry && (
          <Button size="small" onClick={retry}>
            {t("retry")}
          </Button>
        )
      }
    />
  );
}
