/** What to know of how files were read; where two readings fit, the other one is a click away. */
import { useMutation } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { api, dataOf } from "@/api/client";
import { mayWrite, useMaybeMe } from "@/api/me";
import { useChooseReading } from "@/api/readings";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { otherReading, type OtherReading } from "@/components/readings/otherReading";
import { readingTexts } from "@/components/readings/texts";

/** What was asked: a source, or the kept result that knows its own. */
type Asked = { source: string } | { resultId: string };

interface Props {
  notes: readonly string[];
  of: Asked;
  /** After a choice, where there is something to ask again. */
  onChosen?: () => void;
}

export const ReadNotes = ({ notes, of, onChosen }: Props) =>
  notes.map((note) => <ReadNote key={note} note={note} of={of} onChosen={onChosen} />);

function ReadNote({ note, of, onChosen }: { note: string } & Omit<Props, "notes">) {
  const t = useReadingTexts();
  const said = useDataText();
  const me = useMaybeMe();
  const choose = useChooseReading();
  const other = otherReading(note);
  const pick = useMutation({
    mutationFn: ({ change }: OtherReading) =>
      choose.mutateAsync({ source: () => sourceOf(of, t("earlier")), change }),
    onSuccess: onChosen,
  });
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={said(note)}
        style={{ overflowWrap: "break-word" }}
        description={pick.isSuccess && !onChosen && <span role="status">{t("chosen")}</span>}
        action={
          other &&
          me.data &&
          mayWrite(me.data) &&
          !pick.isSuccess && (
            <Button size="small" loading={pick.isPending} onClick={() => pick.mutate(other)}>
              {label(t, other)}
            </Button>
          )
        }
      />
      {pick.error && <ErrorNotice error={pick.error} />}
    </>
  );
}

async function sourceOf(asked: Asked, whyNot: string): Promise<string> {
  if ("source" in asked) return asked.source;
  const path = { result_id: asked.resultId };
  const { source } = await dataOf(api.GET("/api/v1/data/results/{result_id}", { params: { path } }));
  if (source === "results") throw new Error(whyNot);
  return source;
}

const useReadingTexts = () => useTexts(readingTexts);

function label(t: ReturnType<typeof useReadingTexts>, { field, value }: OtherReading): string {
  if (field === "encoding") return t("read_as_encoding", { name: value });
  if (field === "dates") return t(value === "dmy" ? "read_as_dmy" : "read_as_mdy");
  return t(value === "point" ? "read_as_point" : "read_as_comma");
}
