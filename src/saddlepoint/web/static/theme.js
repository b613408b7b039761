// Runs before the first paint: <html data-theme="light|dark">, from the person's choice, else from the system's, and
// data-first where
// the address asks for the first screen, which index.html has.
(() => {
	const system = matchMedia("(prefers-color-scheme: dark)");
	const paper = matchMedia("print");
	const chosen = () => {
		try {
			return localStorage.getItem("sp.theme");
		} catch {
			return null;
		}
	};
	const apply = () => {
		const wanted = chosen() || (system.matches ? "dark" : "light");
		document.documentElement.dataset.theme = paper.matches ? "light" : wanted;
	};
	system.addEventListener("change", apply);
	paper.addEventListener("change", apply);
	apply();
	document.documentElement.toggleAttribute("data-first", ["", "#/"].includes(location.hash));
})();
