/** The addresses of compositions in the console. */
export const TOOLS = "/tools";
export const COMPOSITIONS = "/tools/compositions";
export const NEW_COMPOSITION = `${COMPOSITIONS}/new`;

export const placeOf = (id: string): string => `${COMPOSITIONS}/${encodeURIComponent(id)}`;
