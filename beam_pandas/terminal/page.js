"use strict";
(function () {
  function valueOf(row, at) {
    const cell = row.cells[at];
    return "v" in cell.dataset ? cell.dataset.v : cell.textContent;
  }
  function compare(a, b, number) {
    if (number) { return Number(a) - Number(b); }
    return a.localeCompare(b, "en", { numeric: true });
  }
  function sort(table, heads, at) {
    const head = heads[at];
    const up = head.getAttribute("aria-sort") !== "ascending";
    const number = head.classList.contains("n");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, function (row) { return [valueOf(row, at), row]; });
    rows.sort(function (one, other) {
      const a = one[0], b = other[0];
      if (a === "" || b === "") { return (a === "") - (b === ""); } // nothing comes last
      return up ? compare(a, b, number) : compare(b, a, number);
    });
    rows.forEach(function (pair) { body.appendChild(pair[1]); });
    heads.forEach(function (each) { each.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, at) {
      const button = document.createElement("button");
      button.type = "button";
      button.append.apply(button, Array.from(head.childNodes));
      head.appendChild(button);
      button.addEventListener("click", function () { sort(table, heads, at); });
    });
  });
  let folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.from(document.querySelectorAll("details:not([open])"));
    folded.forEach(function (each) { each.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (each) { each.open = false; });
  });
})();
