import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { useMe, type Me } from "@/api/me";

export type Tenant = Schemas["TenantInfo"];

export const tenantKey = ["tenant"];

export function useTenant() {
  const { tenant_id } = useMe();
  return useQuery({
    queryKey: tenantKey,
    queryFn: () =>
      dataOf(api.GET("/api/v1/tenants/{tenant_id}", { params: { path: { tenant_id } } })),
  });
}

/** Whoever owns the tenant that is there from the start runs the installation. */
export const runsInstallation = (me: Me): boolean =>
  me.tenant_id === "local" && me.role === "owner";
