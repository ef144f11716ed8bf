// Sets the chosen theme before the first paint; without a choice the system decides.
(function () {
  var chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie);
  if (chosen) document.documentElement.dataset.theme = chosen[1];
})();
