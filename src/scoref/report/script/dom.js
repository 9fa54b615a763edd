// Elements are created from text, never from HTML, so nothing in the data can become code.
const D = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// Attributes of a button; buttons in forms would otherwise submit them.
const button = (text, onclick, attributes) => el("button", { type: "button", onclick, ...attributes }, text);

function options(select, names, chosen) {
  select.replaceChildren(...names.map((name, at) => el("option", { value: at, selected: at === chosen }, name)));
}
const on = (id, event, action) => { if ($(id)) $(id).addEventListener(event, action); };
