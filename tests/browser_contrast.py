"""Contrast of all text of a page with what is behind it."""

from __future__ import annotations

CONTRAST = """
function parse(c) { return c.match(/[\\d.]+/g).map(Number); }
function luminance([r, g, b]) {
  const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
}
function behind(e) {
  for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
  return [255, 255, 255];
}
let worst = [99, ""];
for (const e of document.querySelectorAll("body *")) {
  if (!e.offsetParent || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
  const [a, b] = [parse(getComputedStyle(e).color), behind(e)].map(luminance).sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < worst[0]) worst = [ratio, e.tagName + "." + e.className];
}
return worst;
"""
