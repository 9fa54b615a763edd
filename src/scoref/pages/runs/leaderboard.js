"use strict";
// The page of a leaderboard has nothing to draw: it switches themes, and loads itself again.
(() => {
  const D = JSON.parse(Scoref.byId("data").textContent);
  Scoref.switchTheme();
  if (D.reload) setTimeout(() => location.reload(), 1000 * D.reload);
})();
