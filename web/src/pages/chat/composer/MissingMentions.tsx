/**
 * Says which names with `@` nothing has, while the message is written; it is sent all the same,
 * as in the terminal. What is a name, and what has it, the server says: it looks as a run would.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Typography } from "antd";
import { api, dataOf } from "@/api/client";
import { useSettled } from "@/components/forms/useSettled";
import { composerTexts } from "@/pages/chat/composer/texts";
import { useTexts } from "@/i18n";

interface Props {
  text: string;
  assistantId: string | null;
  projectId: string | null;
  /** What was uploaded for this message: a name may have come to something meanwhile. */
  uploaded: number;
}

export function MissingMentions({ text, assistantId, projectId, uploaded }: Props) {
  const t = useTexts(composerTexts);
  const settled = useSettled(text);
  const named = settled.includes("@");
  const found = useQuery({
    queryKey: ["mentions", settled, assistantId, projectId, uploaded],
    queryFn: async () => {
      const body = { text: settled, assistant_id: assistantId, project_id: projectId };
      return (await dataOf(api.POST("/api/v1/mentions/missing", { body }))).names;
    },
    enabled: named,
    placeholderData: keepPreviousData,
    // A note that cannot be had is left out.
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  // Until the server has checked the current text, names that were removed are not listed.
  const missing = named ? (found.data ?? []).filter((name) => text.includes(name)) : [];
  return (
    <div role="status" className="chat-composer-note">
      {missing.length > 0 && (
        <Typography.Text type="warning" className="chat-anywhere">
          {t("mention_missing", { names: missing.map((name) => `@${name}`).join(", ") })}
        </Typography.Text>
      )}
    </div>
  );
}
