import { Flex } from "antd";
import { OwnFiles } from "./OwnFiles";
import { SourceList } from "./SourceList";
import { UploadBox } from "./UploadBox";

export const SourcesPage = () => (
  <Flex vertical gap={24}>
    <UploadBox />
    <OwnFiles />
    <SourceList />
  </Flex>
);
