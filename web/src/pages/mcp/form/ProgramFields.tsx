/** What a program needs: its command, and what the sandbox opens for it. */
import { Collapse, Form, Input, Select } from "antd";
import { useTexts } from "@/i18n";
import type { Fields } from "@/pages/mcp/form/fields";
import { NETWORKS } from "@/pages/mcp/Policy";
import { usePolicy } from "@/pages/mcp/queries";
import { readArgs, readPairs } from "@/pages/mcp/form/reading";
import { texts } from "@/pages/mcp/texts";

export function ProgramFields() {
  const t = useTexts(texts);
  const { data: policy } = usePolicy();
  const network = Form.useWatch<Fields["network"] | undefined>("network");
  const widest = NETWORKS.indexOf(policy?.network_max ?? "full");
  return (
    <>
      <Form.Item
        name="command"
        label={t("command")}
        extra={t("command_hint")}
        rules={[{ required: true, message: t("required") }]}
      >
        <Input spellCheck={false} />
      </Form.Item>
      <TextsField name="args" read={readArgs} />
      <TextsField name="env" read={readPairs} />
      <Collapse
        size="small"
        style={{ marginBottom: 16 }}
        items={[
          {
            key: "more",
            label: t("more"),
            forceRender: true,
            children: (
              <>
                <Form.Item name="network" label={t("network")}>
                  <Select
                    options={[
                      {
                        value: "default",
                        label: t("network_default", {
                          network: t(`network_${policy?.network ?? "none"}`),
                        }),
                      },
                      ...NETWORKS.map((value, width) => ({
                        value,
                        disabled: width > widest,
                        label:
                          t(`network_${value}`) +
                          (width > widest ? ` (${t("network_forbidden")})` : ""),
                      })),
                    ]}
                  />
                </Form.Item>
                {network === "hosts" && (
                  <Form.Item name="hosts" label={t("hosts")} extra={t("hosts_hint")}>
                    <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[",", " "]} />
                  </Form.Item>
                )}
                {(["read_paths", "write_paths"] as const).map((name) => (
                  <Form.Item key={name} name={name} label={t(name)} extra={t("paths_hint")}>
                    <Select
                      mode="tags"
                      suffixIcon={null}
                      options={["${WORKSPACE}", ...(policy?.[name] ?? [])].map((value) => ({ value }))}
                    />
                  </Form.Item>
                ))}
              </>
            ),
          },
        ]}
      />
    </>
  );
}

/** Lines or JSON; an error is shown below the field. */
export function TextsField({ name, read }: { name: "args" | "env" | "headers"; read: (text: string) => unknown }) {
  const t = useTexts(texts);
  const bad = name === "args" ? "args_bad" : "pairs_bad";
  const check = (_rule: unknown, text: string): Promise<void> => {
    try {
      read(text);
      return Promise.resolve();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return Promise.reject(new Error(t(bad, { reason })));
    }
  };
  return (
    <Form.Item name={name} label={t(name)} extra={t(`${name}_hint`)} rules={[{ validator: check }]}>
      <Input.TextArea
        autoSize={{ minRows: 2, maxRows: 10 }}
        spellCheck={false}
        style={{ fontFamily: "var(--da-font-family-code)" }}
      />
    </Form.Item>
  );
}
