// Pictures and tables as files. A picture keeps the colours that it has on the page.
const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];
function standalone(picture) {
  const copy = picture.cloneNode(true), box = picture.getBoundingClientRect();
  const nodes = [picture, ...picture.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
  nodes.forEach((node, at) => {
    const style = getComputedStyle(node);
    for (const name of PAINT) copies[at].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "href", "role", "aria-label"]) copies[at].removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", Math.round(box.width));
  copy.setAttribute("height", Math.round(box.height));
  const paper = getComputedStyle(document.body).backgroundColor;
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: paper }));
  return { text: new XMLSerializer().serializeToString(copy), width: box.width, height: box.height };
}
const saveSvg = (name, picture) => Scoref.download(`${name}.svg`, standalone(picture).text, "image/svg+xml");

function savePng(name, picture) {
  const { text, width, height } = standalone(picture), scale = 2, image = new Image();
  image.onload = () => {
    const canvas = el("canvas", { width: Math.round(scale * width), height: Math.round(scale * height) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => Scoref.download(`${name}.png`, blob, "image/png"));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

// Every table of the report can be saved, except for columns of bars. Headers of groups precede those of their columns.
const plainText = (cell) => (cell.querySelector(".name") || cell).textContent.trim();
function tableRows(table) {
  const value = (cell) => {
    const small = cell.querySelector("small"), whole = plainText(cell);
    if (!small) return whole.replace("−", "-");
    const remark = small.textContent.trim();
    return `${whole.slice(0, whole.length - remark.length).trim()} (${remark})`;
  };
  const [first, second] = table.tHead.rows, heads = [...(second || first).cells];
  const groups = second ? [...first.cells].flatMap((cell) => Array(cell.colSpan).fill(plainText(cell))) : [];
  const kept = (_, at) => heads[at].textContent.trim() !== "";
  const names = heads.map((cell, at) => [groups[at], plainText(cell)].filter(Boolean).join(" ")).filter(kept);
  return [names, ...[...table.tBodies[0].rows].map((row) => [...row.cells].filter(kept).map(value))];
}
for (const sheet of document.querySelectorAll(".sheet[data-csv]")) {
  const name = sheet.dataset.csv, table = sheet.querySelector("table");
  sheet.querySelector(".tools").append(button("CSV", () => saveCsv(name, tableRows(table)), { "aria-label": `Save “${name}” as CSV` }));
}
