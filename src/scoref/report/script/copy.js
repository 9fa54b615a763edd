// Copying, with a short confirmation that screen readers announce too.
function toast(text) {
  const node = $("toast");
  node.textContent = text;
  node.classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => node.classList.remove("on"), 2500);
}

function copyOldWay(text) {
  const area = el("textarea", { readonly: true, class: "hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

function copyText(text, said) {
  const failed = () => toast(copyOldWay(text) ? said : "The browser does not allow copying");
  if (!navigator.clipboard) { failed(); return; }
  navigator.clipboard.writeText(text).then(() => toast(said), failed);
}
const copyLink = () => copyText(location.href, "Link copied");
on("copy-signature", "click", () => copyText($("signature").textContent, "Signature copied"));
on("copy-link", "click", copyLink);
