// From disk a browser lets a page read no other page, so there the search shows titles without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// A live board in the place of a page's picture. A browser gives pages from disk no modules, so there the picture stays.
addEventListener("DOMContentLoaded", () => {
  if (!location.protocol.startsWith("http")) return;
  const root = document.documentElement.dataset.content_root || "./";
  for (const place of document.querySelectorAll("div.board")) {
    const frame = document.createElement("iframe");
    frame.src = `${root}board/index.html#${place.dataset.address}`;
    frame.title = "A live board of Saddlepoint";
    frame.loading = "lazy";
    const picture = place.previousElementSibling;
    if (picture && picture.querySelector("img")) picture.hidden = true;
    place.append(frame);
  }
});
