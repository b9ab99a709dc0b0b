/** Metrics: ask them by name, and say what they are. */
import { Flex } from "antd";
import { useState } from "react";
import { ForMembers } from "@/components/page/ForMembers";
import { Resource } from "@/components/states/Resource";
import { AskMetric } from "@/pages/data/metrics/AskMetric";
import { ModelEditor } from "@/pages/data/metrics/ModelEditor";
import { useModel } from "@/pages/data/metrics/queries";

const EXAMPLE = `datasets:
  - {name: lines, source: shop, table: order_lines}
  - {name: products, source: shop, dimensions: [{name: category, synonyms: [品类]}]}
relations:
  - {from: lines, to: products, on: {product_id: product_id}}
metrics:
  - {name: revenue, dataset: lines, expr: sum(quantity * unit_price), synonyms: [收入]}
`;

export function MetricsPage() {
  const model = useModel();
  const [start, setStart] = useState<string | null>(null);
  return (
    <Flex vertical gap={24}>
      <ForMembers>
        <AskMetric useExample={() => setStart(EXAMPLE)} />
      </ForMembers>
      <Resource query={model}>
        {(found) => (
          <ModelEditor
            key={`${found.project_id ?? ""} ${found.version} ${start ?? ""}`}
            model={found}
            start={start ?? found.text}
            loadAgain={() => {
              setStart(null);
              void model.refetch();
            }}
            saved={() => setStart(null)}
          />
        )}
      </Resource>
    </Flex>
  );
}
