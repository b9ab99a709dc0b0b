/**
 * Some parts of Ant Design (the scroll lock of its dialogs) write style elements without the nonce they
 * were given, and the page's policy refuses those. What our own code makes carries it from the start.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;

if (styleNonce) {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const made = create(name, options);
    if (made instanceof HTMLStyleElement) made.nonce = styleNonce;
    return made;
  }) as typeof document.createElement;

  // Its text fields measure themselves by a style attribute, which is refused; by the object it is not.
  const setAttribute = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name: string, value: string) {
    if (name === "style" && this instanceof HTMLElement) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}
