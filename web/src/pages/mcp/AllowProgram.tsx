/** A program that is started only after its owner's yes: what it is, what it may reach, and the yes. */
import { CheckOutlined } from "@ant-design/icons";
import { Alert, Button, Flex } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import type { Server } from "@/pages/mcp/form/fields";
import { useServerActions } from "@/pages/mcp/queries";
import { texts } from "@/pages/mcp/texts";

interface Props {
  server: Server;
  /** The earlier error is out of date after the approval. */
  allowed: () => void;
}

export function AllowProgram({ server, allowed }: Props) {
  const t = useTexts(texts);
  const { allow } = useServerActions();
  const network = server.network ?? "full";
  const reach = [
    ["reads", server.read_paths],
    ["writes", server.write_paths],
    ["variables", Object.keys(server.env)],
    ["hosts", network === "hosts" ? server.hosts : []],
  ] as const;
  return (
    <Flex vertical gap={8} style={{ margin: "0 0 8px" }}>
      <Alert
        type="warning"
        showIcon
        title={t("allow_title")}
        description={
          <>
            {t("allow_hint")} {t(`allow_network_${network}`)}
            {reach.map(
              ([what, names]) =>
                names.length > 0 && (
                  <div key={what}>
                    {t(`allow_${what}`)} <code>{names.join(", ")}</code>
                  </div>
                ),
            )}
          </>
        }
        action={
          <Button
            size="small"
            type="primary"
            icon={<CheckOutlined />}
            aria-label={t("allow_name", { name: server.name })}
            loading={allow.isPending}
            onClick={() => allow.mutate(server, { onSuccess: allowed })}
          >
            {t("allow")}
          </Button>
        }
      />
      {allow.error && <ErrorNotice error={allow.error} />}
    </Flex>
  );
}
