/** What lies over the page and is closed by Esc: that key then belongs to it. */
const LAYERS = [
  '[role="dialog"]',
  ".ant-dropdown",
  ".ant-select-dropdown",
  ".ant-popover",
  ".ant-picker-dropdown",
].join(",");

export const layerIsOpen = (): boolean =>
  [...document.querySelectorAll(LAYERS)].some((layer) => layer.checkVisibility());
