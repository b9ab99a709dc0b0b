/** Catches what breaks in a page: the rest of the console stays, and says what to do. */
import { Button } from "antd";
import { Component, useEffect, useState, type ReactNode } from "react";
import { rawFetch } from "@/api/client";
import { ApiError } from "@/api/errors";
import { errorTexts } from "@/api/errors.texts";
import { isMissingCode } from "@/app/errors/missingCode";
import { appTexts } from "@/app/texts";
import { EmptyState } from "@/components/states/EmptyState";
import { useTexts } from "@/i18n";

export class Catcher extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (isMissingCode(error)) return <NotLoaded retry={() => this.setState({ error: null })} />;
    return <Broken error={error} />;
  }
}

function Broken({ error }: { error: unknown }) {
  const t = useTexts(appTexts);
  return (
    <EmptyState title={t("broken")} action={<Reload />}>
      {t("broken_next")} ({String(error)})
    </EmptyState>
  );
}

/** The server answers, but has the files of another build; or it does not answer. */
function NotLoaded({ retry }: { retry: () => void }) {
  const t = useTexts(appTexts);
  const e = useTexts(errorTexts);
  const answers = useServerAnswers();
  if (answers === null) return null;
  if (answers) {
    return (
      <EmptyState title={t("new_version")} action={<Reload />}>
        {t("new_version_next")}
      </EmptyState>
    );
  }
  const again = (
    <Button type="primary" onClick={retry}>
      {t("retry")}
    </Button>
  );
  return (
    <EmptyState title={e("unreachable")} action={again}>
      {e("unreachable_next")}
    </EmptyState>
  );
}

function Reload() {
  const t = useTexts(appTexts);
  return (
    <Button type="primary" onClick={() => window.location.reload()}>
      {t("reload")}
    </Button>
  );
}

function useServerAnswers(): boolean | null {
  const [answers, setAnswers] = useState<boolean | null>(null);
  useEffect(() => {
    rawFetch("/api/v1/auth/me").then(
      () => setAnswers(true),
      (error: unknown) => setAnswers(error instanceof ApiError && error.status > 0 && error.status < 502),
    );
  }, []);
  return answers;
}
