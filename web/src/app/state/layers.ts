/** A form that opens inside the page; see InlineForm. */
export const INLINE_FORM_CLASS = "inline-form";

/** What is closed by Esc while it is open: that key then belongs to it. */
const LAYERS = [
  '[role="dialog"]',
  ".ant-dropdown",
  ".ant-select-dropdown",
  ".ant-popover",
  ".ant-picker-dropdown",
  `.${INLINE_FORM_CLASS}`,
].join(",");

export const layerIsOpen = (): boolean =>
  [...document.querySelectorAll(LAYERS)].some((layer) => layer.checkVisibility());
