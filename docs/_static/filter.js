// A box above each table of the class "filterable": rows without all of its words are hidden.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".filterable table")) {
    const rows = Array.from(table.tBodies[0].rows);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const line = document.createElement("p");
    const label = document.createElement("label");
    const box = document.createElement("input");
    const count = document.createElement("output");
    box.type = "search";
    label.append("Filter: ", box);
    line.className = "filter";
    line.append(label, " ", count);
    const container = table.closest(".filterable");
    container.insertBefore(line, container.firstChild);
    const show = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, at) => {
        const fits = words.every((word) => texts[at].includes(word));
        row.hidden = !fits;
        shown += fits;
      });
      count.textContent = `${shown} of ${rows.length}`;
    };
    box.addEventListener("input", show);
    show();
  }
});
