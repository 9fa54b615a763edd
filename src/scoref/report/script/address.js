// The whole state of the page is its address: #path?name=value&name=value
function readAddress(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const values = {};
  for (const [name, value] of new URLSearchParams(query)) values[name] = value;
  return { path, values };
}

function writeAddress(path, values = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const written = String(query);
  return `#${path}` + (written ? `?${written}` : "");
}

// A step that the back button can undo, and a change that it need not undo.
const goTo = (path, values) => { location.hash = writeAddress(path, values); };
function rewrite(path, values) {
  try {
    history.replaceState(null, "", writeAddress(path, values));
  } catch {
    // A frame of a notebook has no address of its own.
  }
}
const integer = (text, otherwise = null) => (/^-?\d+$/.test(text || "") ? Number(text) : otherwise);
