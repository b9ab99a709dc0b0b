/** "Wrong" and "forget" of one memory, with the dialog and the receipt that come of them. */
import { CloseCircleOutlined, DeleteOutlined } from "@ant-design/icons";
import { Button, Modal, Popconfirm } from "antd";
import { useState } from "react";
import { useMemoryActions, type Receipt } from "@/api/learned/memories";
import { ReceiptView } from "@/components/memories/ReceiptView";
import { memoryTexts } from "@/components/memories/texts";
import { WrongDialog } from "@/components/memories/WrongDialog";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";

interface Props {
  id: string;
  content: string;
  /** One that holds no longer cannot be wrong once more. */
  mayBeWrong: boolean;
  onWrong?: (replacementId: string | null) => void;
  onForgotten?: () => void;
}

export function MemoryButtons({ id, content, mayBeWrong, onWrong, onForgotten }: Props) {
  const t = useTexts(memoryTexts);
  const { forget, renew } = useMemoryActions();
  const [correcting, setCorrecting] = useState(false);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const closeReceipt = () => {
    setReceipt(null);
    onForgotten?.();
    void renew();
  };
  return (
    <>
      {mayBeWrong && (
        <Button size="small" icon={<CloseCircleOutlined />} aria-label={t("wrong_of", { text: content })} onClick={() => setCorrecting(true)}>
          {t("wrong")}
        </Button>
      )}
      <Popconfirm
        title={t("forget_ask")}
        description={<div style={{ maxWidth: 320 }}>{t("forget_hint")}</div>}
        okText={t("forget")}
        okButtonProps={{ danger: true }}
        cancelText={t("cancel")}
        onConfirm={() => forget.mutateAsync(id).then(setReceipt).catch(() => undefined)}
      >
        <Button size="small" danger icon={<DeleteOutlined />} loading={forget.isPending} aria-label={t("forget_of", { text: content })}>
          {t("forget")}
        </Button>
      </Popconfirm>
      {forget.error && <ErrorNotice error={forget.error} />}
      {correcting && <WrongDialog id={id} content={content} onDone={onWrong} close={() => setCorrecting(false)} />}
      <Modal
        open={receipt !== null}
        title={t("forgotten")}
        onCancel={closeReceipt}
        footer={
          <Button type="primary" onClick={closeReceipt}>
            {t("close")}
          </Button>
        }
      >
        {receipt && <ReceiptView receipt={receipt} />}
      </Modal>
    </>
  );
}
