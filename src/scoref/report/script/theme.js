// Light and dark: as the operating system prefers, until the button is pressed.
const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
const labelTheme = () => { $("theme").textContent = dark() ? "Light" : "Dark"; };
on("theme", "click", () => {
  document.documentElement.dataset.theme = dark() ? "light" : "dark";
  labelTheme();
});
labelTheme();
