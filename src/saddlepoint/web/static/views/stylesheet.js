// A view's own style sheet, loaded when it is first opened.

const loaded = new Map();

/** Resolves when the sheet applies, so that nothing is seen without it. */
export function stylesheet(address) {
  if (!loaded.has(address)) {
    loaded.set(address, new Promise((resolve) => {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: address, onload: resolve, onerror: resolve });
      document.head.append(link);
    }));
  }
  return loaded.get(address);
}
