// Runs before the first paint, so that the page never flashes in the other colours: a plain
// script in the head, not a module. Without a choice of the reader the system's setting holds.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => {
    try {
      return localStorage.getItem("rosenblatt-theme");
    } catch {
      return null; // storage can be switched off; the switch then holds for this page only
    }
  };
  const remember = (theme) => {
    try {
      localStorage.setItem("rosenblatt-theme", theme);
    } catch {
      return;
    }
  };
  const show = (theme) => {
    root.dataset.theme = theme;
    root.dispatchEvent(new Event("theme"));
  };

  const choose = (theme) => {
    root.dataset.isChosen = "yes"; // links then hold it
    show(theme);
  };
  const linked = () => {
    const theme = new URLSearchParams(location.hash.slice(1)).get("theme");
    return theme === "dark" || theme === "light" ? theme : null;
  };

  const chosen = linked() ?? remembered();
  if (chosen) choose(chosen);
  else show(system.matches ? "dark" : "light");
  system.addEventListener("change", () => {
    if (!root.dataset.isChosen) show(system.matches ? "dark" : "light");
  });
  addEventListener("hashchange", () => {
    if (linked()) choose(linked());
  });
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      remember(theme);
      choose(theme);
    });
  });
})();
