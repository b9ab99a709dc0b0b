/** The fields of a form about how text files are read. */
import { Form, Select } from "antd";
import type { Reading } from "@/api/readings";
import { useTexts } from "@/i18n";
import { readingTexts } from "@/components/readings/texts";

/** Tables are written in these; names that people know, and Python's. */
const ENCODINGS: Record<Exclude<Reading["encoding"], "auto">, string> = {
  "utf-8": "UTF-8",
  "utf-16-le": "UTF-16 LE",
  "utf-16-be": "UTF-16 BE",
  cp1252: "Windows-1252",
  "latin-1": "ISO 8859-1",
  cp1250: "Windows-1250",
  "iso8859-2": "ISO 8859-2",
  cp1254: "Windows-1254",
  cp1257: "Windows-1257",
  cp1251: "Windows-1251",
  "koi8-r": "KOI8-R",
  cp1253: "Windows-1253",
  cp1255: "Windows-1255",
  cp1256: "Windows-1256",
  cp1258: "Windows-1258",
  cp874: "Windows-874",
  cp850: "CP 850",
  cp852: "CP 852",
  cp866: "CP 866",
  gb18030: "GB 18030 (GBK)",
  big5: "Big5",
  cp932: "Shift JIS",
  euc_jp: "EUC-JP",
  cp949: "EUC-KR",
};

/** `within`: where in the form's values they stand. */
export function ReadingFields({ within = [] }: { within?: string[] }) {
  const t = useTexts(readingTexts);
  const auto = { value: "auto", label: t("auto") };
  return (
    <>
      <Form.Item name={[...within, "dates"]} label={t("dates")}>
        <Select
          options={[
            auto,
            { value: "dmy", label: t("dates_dmy") },
            { value: "mdy", label: t("dates_mdy") },
          ]}
        />
      </Form.Item>
      <Form.Item name={[...within, "decimals"]} label={t("decimals")}>
        <Select
          options={[
            auto,
            { value: "point", label: t("decimals_point") },
            { value: "comma", label: t("decimals_comma") },
          ]}
        />
      </Form.Item>
      <Form.Item name={[...within, "encoding"]} label={t("encoding")}>
        <Select
          showSearch={{ optionFilterProp: "label" }}
          options={[auto, ...Object.entries(ENCODINGS).map(([value, label]) => ({ value, label }))]}
        />
      </Form.Item>
    </>
  );
}
