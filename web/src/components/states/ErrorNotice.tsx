/** What happened, what to try, and the button that tries it. */
import { Alert, Button } from "antd";
import { ApiError, nextStep, errorTextOf } from "@/api/errors";
import { errorTexts } from "@/api/errors.texts";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTexts(componentTexts);
  useDataText(); // drawn again once the sentences of `errorTextOf` are there
  const e = useTexts(errorTexts);
  // The log key helps only if a person has to look into the server's log.
  const id = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  const next = nextStep(error);
  const { title, detail } = errorTextOf(error);
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
              <div lang="en" style={{ overflowWrap: "break-word" }}>
                {detail}
              </div>
            )}
            {next}
            {id && (
              <details>
                <summary>{e("for_admin")}</summary>
                <small>{e("request", { id })}</small>
              </details>
            )}
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
