/** Takes files people picked or dropped; where names are taken it asks what to do. */
import { App, Button, Flex } from "antd";
import { useTexts } from "@/i18n";
import { encodePath, freeName, joined } from "@/pages/files/naming";
import { namesIn } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";
import { upload } from "@/pages/files/uploads/uploads";

type Choice = "replace" | "keep" | "skip";

export function useUploading(workspaceId: string, folder: string, done: () => void) {
  const t = useTexts(texts);
  const { modal } = App.useApp();

  const ask = (names: string[]): Promise<Choice> =>
    new Promise((resolve) => {
      const answer = (choice: Choice) => {
        resolve(choice);
        dialog.destroy();
      };
      const dialog = modal.confirm({
        title:
          names.length === 1
            ? t("conflict", { name: names[0] ?? "" })
            : t("conflict_more", { count: names.length }),
        content: names.length > 1 && names.slice(0, 10).join(", "),
        onCancel: () => resolve("skip"),
        footer: (
          <Flex gap={8} justify="end" wrap>
            <Button onClick={() => answer("skip")}>{t("conflict_skip")}</Button>
            <Button danger onClick={() => answer("replace")}>
              {t("conflict_replace")}
            </Button>
            <Button type="primary" onClick={() => answer("keep")}>
              {t("conflict_keep")}
            </Button>
          </Flex>
        ),
      });
    });

  return async (files: File[]): Promise<void> => {
    if (files.length === 0) return;
    const taken = await namesIn(workspaceId, encodePath(folder));
    const conflicts = files.map((file) => file.name).filter((name) => taken.has(name));
    const choice = conflicts.length > 0 ? await ask(conflicts) : "keep";
    for (const file of files) {
      if (choice === "skip" && taken.has(file.name)) continue;
      const name = choice === "keep" ? freeName(file.name, taken) : file.name;
      taken.add(name);
      upload({ workspaceId, path: joined(folder, name), file }, done);
    }
  };
}
