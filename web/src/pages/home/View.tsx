import { Navigate } from "react-router";
import { useMe } from "@/api/me";
import { mayUse } from "@/app/account/membersOnly";

export default function Home() {
  return <Navigate to={mayUse(useMe(), "/chat") ? "/chat" : "/overview"} replace />;
}
