"use strict";
const save = (name, type, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const quoted = (text) => '"' + text.replaceAll('"', '""') + '"';
const csv = (table) => Array.from(table.rows, (row) => Array.from(row.cells, (cell) =>
  cell.dataset.value ?? (cell.textContent === "–" ? "" : quoted(cell.textContent))).join(",")).join("\n") + "\n";
const drawn = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"];
const alone = (svg) => {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
    const style = getComputedStyle(from[index]);
    drawn.forEach((name) => element.setAttribute(name, style.getPropertyValue(name)));
    element.removeAttribute("class");
  });
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
};
document.querySelectorAll("[data-csv]").forEach((button) => {
  button.hidden = false;
  const id = button.dataset.csv;
  button.addEventListener("click", () => save(id + ".csv", "text/csv", csv(document.getElementById(id))));
});
document.querySelectorAll("[data-svg]").forEach((button) => {
  button.hidden = false;
  const id = button.dataset.svg;
  button.addEventListener("click", () => save(id + ".svg", "image/svg+xml", alone(document.getElementById(id))));
});
const theme = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
const show = (on) => {
  document.documentElement.style.colorScheme = on ? "dark" : "light";
  theme.setAttribute("aria-pressed", String(on));
};
theme.hidden = false;
show(dark.matches);
dark.addEventListener("change", (event) => show(event.matches));
theme.addEventListener("click", () => show(theme.getAttribute("aria-pressed") !== "true"));
