/** What people say of a finished run: thumbs, and what should have been different. Patterns learn from it. */
import { DislikeFilled, DislikeOutlined, EditOutlined, LikeFilled, LikeOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Button, Flex, Typography } from "antd";
import { useEffect, useState } from "react";
import { api, dataOf, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { useNames } from "@/api/members";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { CorrectionForm } from "@/pages/chat/transcript/feedback/CorrectionForm";
import { feedbackTexts } from "@/pages/chat/transcript/feedback/texts";
import { useSetting } from "@/pages/chat/transcript/setting";
import { useTexts } from "@/i18n";
import type { Feedback, Run } from "@/stream/conversation";
import "@/pages/chat/transcript/feedback/feedback.css";

const NONE: Feedback = { rating: "", correction: "" };

export function FeedbackLine({ run }: { run: Run }) {
  const t = useTexts(feedbackTexts);
  const me = useMe();
  const nameOf = useNames();
  const { canAnswer } = useSetting();
  const [writing, setWriting] = useState(false);
  const give = useMutation({
    mutationFn: (body: Schemas["FeedbackBody"]) =>
      dataOf(api.POST("/api/v1/runs/{run_id}/feedback", { params: { path: { run_id: run.runId } }, body })),
  });
  const known = run.feedback[me.user_id];
  // What was just said counts before the log has brought it back.
  const [told, setTold] = useState<Feedback | null>(null);
  useEffect(() => setTold(null), [known]);
  const mine = told ?? known ?? NONE;
  const say = (said: Feedback) => {
    setTold(said);
    give.mutate(said, { onError: () => setTold(null) });
  };
  const said = Object.entries(run.feedback).filter(([, { rating, correction }]) => rating || correction);
  const thumb = (rating: "up" | "down") => {
    const isGiven = mine.rating === rating;
    const icons = { up: isGiven ? <LikeFilled /> : <LikeOutlined />, down: isGiven ? <DislikeFilled /> : <DislikeOutlined /> };
    return (
      <Button
        size="small"
        type="text"
        icon={icons[rating]}
        title={t(rating)}
        aria-label={t(rating)}
        aria-pressed={isGiven}
        onClick={() => {
          say({ ...mine, rating: isGiven ? "" : rating });
          // What was wrong is worth more than that something was.
          if (rating === "down" && !isGiven) setWriting(true);
        }}
      />
    );
  };
  return (
    <div className="feedback" role="group" aria-label={t("label")}>
      <Flex gap={2}>
        {canAnswer && (
          <>
            {thumb("up")}
            {thumb("down")}
            <Button size="small" type="text" icon={<EditOutlined />} title={t("correct")} aria-label={t("correct")} aria-expanded={writing} onClick={() => setWriting(!writing)} />
          </>
        )}
      </Flex>
      {writing && (
        <CorrectionForm
          initial={mine.correction}
          cancel={() => setWriting(false)}
          send={(correction) => {
            setWriting(false);
            say({ ...mine, correction });
          }}
        />
      )}
      {give.error && <ErrorNotice error={give.error} />}
      {said.map(([by, { rating, correction }]) => (
        <Typography.Text key={by} type="secondary" className="small">
          {[rating && t(`rated_${rating}`), by && t("by", { who: nameOf(by) }), correction].filter(Boolean).join(" · ")}
        </Typography.Text>
      ))}
    </div>
  );
}
