// Where the page that is one file has its engine and its games: in the file itself.

const held = (id) => document.getElementById(id).textContent;
let address = null;

export function newWorker() {
  address ??= URL.createObjectURL(new Blob([JSON.parse(held("engine"))], { type: "text/javascript" }));
  return new Worker(address);
}

export const catalogue = async () => new Response(held("catalogue"));
