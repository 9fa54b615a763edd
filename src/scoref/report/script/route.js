// From the address to the view. Views that are left close; the way back leads to where the reader was.
const VIEWS = ["overview", "reader", "cases", "results"];
let shownView = "overview", lastOverview = "", lastList = "";

function showView(name) {
  for (const view of VIEWS) $(view).hidden = view !== name;
  if (name !== "reader" && R) { watcher.disconnect(); R = null; }
  if (name !== "cases") L = null;
  document.body.dataset.view = shownView = name;
  hideTip();
}

// The list of errors or of results that led here, or else the report.
function backTo(section) {
  if (shownView === "reader" && lastList) return lastList;
  return lastOverview || `#${section}`;
}

function route() {
  const { path, values } = readAddress(), parts = /^doc\/(\d+)(?:\/(\d+))?(?:\/(-?\d+))?$/.exec(path);
  const [, at, system = "0", entity] = parts || [];
  if (parts && opens(Number(at)) && isSystem(Number(system))) {
    openDocument(Number(at), Number(system), integer(entity), values);
    $("name").focus({ preventScroll: true });
  } else if (path === "cases" && neighbours.length) {
    openCases(values);
    lastList = location.hash;
    if (L.at < 0) $("cases-name").focus({ preventScroll: true });
  } else if (path === "search") {
    openSearch(values);
    lastList = location.hash;
  } else {
    const from = shownView;
    lastList = "";
    lastOverview = location.hash || "#glance";
    showView("overview");
    if (path === "documents") readOverview(values);
    if (path === "documents" || from !== "overview") drawOverview();
    if ($(path) && path !== "overview") $(path).scrollIntoView();
  }
}
addEventListener("hashchange", route);

// Links within the page. In a frame of a notebook the browser would resolve them against the notebook.
addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const target = link.getAttribute("href");
  if (location.hash === target) route();
  else location.hash = target;
});
drawOverview();
route();
