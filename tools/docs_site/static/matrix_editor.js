// The table behind a `div.matrix` as a matrix game whose numbers can be changed. At every change its value and both players'
// equilibrium strategies are computed again (matrix_game.js), in the place of the paragraph that tells them of the table.
// Without scripts table and paragraph stay as they are.
(() => {
  const { read, solve, mean, told } = MatrixGame;
  const MOST = 5;
  const EXAMPLES = {
    "Matching pennies": [["1", "-1"], ["-1", "1"]],
    "Rock, paper, scissors": [["0", "-1", "1"], ["1", "0", "-1"], ["-1", "1", "0"]],
    "A saddle point": [["3", "2", "4"], ["1", "0", "5"], ["-1", "1", "2"]],
    "One action is never played": [["4", "0"], ["0", "4"], ["1", "1"]],
  };

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  class Editor {
    /** @param {HTMLElement} place where it goes; @param {HTMLTableElement} table what it shows first */
    constructor(place, table) {
      const cells = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
      this.names = [cells.slice(1).map((row) => row[0]), cells[0].slice(1)];
      this.texts = cells.slice(1).map((row) => row.slice(1));
      this.first = this.texts.map((row) => [...row]);
      this.grid = element("div", { className: "matrix-grid", tabIndex: 0 });
      this.grid.setAttribute("role", "group");
      this.grid.setAttribute("aria-label", "The matrix, and how often each action is played");
      this.said = element("p", { className: "matrix-value" });
      this.said.setAttribute("role", "status");
      place.append(this.controls(), this.grid, this.said, this.remark());
      this.draw();
    }

    /** What the page goes on about when the matrix was changed, and the way back. */
    remark() {
      const back = element("button", { type: "button" }, "Show it again");
      back.addEventListener("click", () => {
        this.choice.value = "";
        this.choose();
        this.inputs()[0][0].focus();
      });
      this.note = element("p", { className: "matrix-note", hidden: true }, "The text below is about the matrix as it was. ", back);
      return this.note;
    }

    /** Whether a paragraph tells the value of the matrix that is shown. */
    isTold(paragraph) {
      const matrix = this.texts.map((row) => row.map(read));
      const exact = matrix.flat().includes(null) ? null : told(solve(matrix).value).split(" ")[0];
      return exact !== null && /\bvalue\b/i.test(paragraph.textContent) && paragraph.textContent.split(/[\s.,;:]+/).includes(exact);
    }

    controls() {
      const options = ["", ...Object.keys(EXAMPLES)].map((value) => element("option", { value }, value || "The matrix of this page"));
      this.choice = element("select", {}, ...options);
      this.choice.addEventListener("change", () => this.choose());
      this.named = true;
      const sizes = [["Add a row", 1, 0], ["Remove a row", -1, 0], ["Add a column", 0, 1], ["Remove a column", 0, -1]];
      this.buttons = sizes.map(([label, rows, columns]) => {
        const button = element("button", { type: "button" }, label);
        button.addEventListener("click", () => this.resize(rows, columns));
        return { button, rows, columns };
      });
      const label = element("label", {}, "Begin with ", this.choice);
      return element("div", { className: "matrix-controls" }, label, ...this.buttons.map(({ button }) => button));
    }

    choose() {
      this.texts = (EXAMPLES[this.choice.value] || this.first).map((row) => [...row]);
      this.named = this.choice.value === "";
      this.draw();
    }

    resize(rows, columns) {
      const height = this.texts.length + rows, width = this.texts[0].length + columns;
      this.texts = Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, j) => this.texts[i]?.[j] ?? "0"));
      this.draw();
    }

    name(side, index) {
      return (this.named && this.names[side][index]) || `${side ? "column" : "row"} ${index + 1}`;
    }

    /** The table anew; what is in its cells comes from `update`. */
    draw() {
      const height = this.texts.length, width = this.texts[0].length;
      for (const { button, rows, columns } of this.buttons) {
        const size = rows ? height + rows : width + columns;
        button.disabled = size < 1 || size > MOST;
      }
      const columns = [...this.texts[0].map((_, j) => this.name(1, j)), "played", "gets"];
      const head = element("tr", {}, element("td"), ...columns.map((name) => heading(name, "col")));
      const lines = this.texts.map((row, i) => {
        const line = element("tr", {}, heading(this.name(0, i), "row"));
        for (const [j, text] of row.entries()) line.append(element("td", {}, this.cell(i, j, text)));
        line.append(element("td", { className: "matrix-share" }), element("td"));
        return line;
      });
      const [played, gives] = ["played", "gives"].map((word) => {
        const line = element("tr", {}, heading(word, "row"));
        for (let j = 0; j < width; j++) line.append(element("td", { className: word === "played" ? "matrix-share" : "" }));
        line.append(element("td"), element("td"));
        return line;
      });
      this.grid.replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines, played, gives)));
      this.update();
    }

    cell(i, j, text) {
      const input = element("input", { type: "text", value: text, size: 5, maxLength: 9, autocomplete: "off", spellcheck: false });
      input.setAttribute("aria-label", `${this.name(0, i)}, ${this.name(1, j)}`);
      input.addEventListener("input", () => {
        this.texts[i][j] = input.value;
        this.update();
      });
      input.addEventListener("keydown", (event) => {
        const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
        const other = step && this.inputs()[i + step]?.[j];
        if (other) other.select(), event.preventDefault();
      });
      return input;
    }

    inputs() {
      return [...this.grid.querySelectorAll("tbody tr")].map((line) => [...line.querySelectorAll("input")]).filter((line) => line.length);
    }

    update() {
      const inputs = this.inputs();
      const matrix = this.texts.map((row) => row.map(read));
      inputs.forEach((row, i) => row.forEach((input, j) => input.setAttribute("aria-invalid", matrix[i][j] === null)));
      const solved = matrix.flat().includes(null) ? null : solve(matrix);
      this.grid.classList.toggle("unsolved", solved === null);
      const lines = [...this.grid.querySelectorAll("tbody tr")];
      const [played, gives] = lines.splice(-2).map((line) => [...line.cells].slice(1));
      lines.forEach((line, i) => {
        share(line.cells[line.cells.length - 2], solved?.rows[i]);
        line.cells[line.cells.length - 1].textContent = solved ? told(mean(solved.columns, matrix[i])) : "";
      });
      this.texts[0].forEach((_, j) => {
        share(played[j], solved?.columns[j]);
        gives[j].textContent = solved ? told(mean(solved.rows, matrix.map((row) => row[j]))) : "";
      });
      this.said.textContent = solved ? this.sentence(solved) : "Every cell needs a number, such as -1, 0.25 or 1/3.";
      this.note.hidden = JSON.stringify(this.texts) === JSON.stringify(this.first);
    }

    sentence({ value, rows, columns }) {
      const mixtures = [rows, columns].map((strategy, side) => strategy
        .map((share, index) => [share, this.name(side, index)])
        .filter(([[top]]) => top !== 0n)
        .map(([share, name]) => (share[0] === share[1] ? name : `${name} ${told(share)}`)).join(", "));
      const pure = [rows, columns].every((strategy) => strategy.some(([top, bottom]) => top === bottom));
      const kind = pure ? "This is a saddle point: nobody needs chance. " : "";
      return `The value is ${told(value)}. ${kind}The row player plays ${mixtures[0]}. The column player plays ${mixtures[1]}.`;
    }
  }

  function heading(text, scope) {
    return element("th", { scope }, text);
  }

  /** How often an action is played, as a number and as a bar. */
  function share(cell, part) {
    const size = part ? Number(part[0]) / Number(part[1]) : 0;
    cell.style.setProperty("--share", `${100 * size}%`);
    cell.textContent = part ? told(part) : "";
  }

  addEventListener("DOMContentLoaded", () => {
    for (const place of document.querySelectorAll("div.matrix")) {
      const next = place.nextElementSibling;
      const table = next.matches("table") ? next : next.querySelector("table");
      const editor = new Editor(place, table);
      next.hidden = true;
      const after = next.nextElementSibling;
      if (after && after.matches("p") && editor.isTold(after)) after.hidden = true;
    }
  });
})();
