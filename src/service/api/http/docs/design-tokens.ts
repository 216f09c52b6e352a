/**
 * Colours, type and sizes of all pages of the service: the page for browsers, /docs and the set-up page. Text is 12, 13, 14, 16 or
 * 20 px in weight 400 or 600, spaces are 4, 8, 12, 16 or 24 px, and corners 4, 8 or 12 px. scripts/bundle-page.mjs reads this file.
 */
export const tokens = `
:root {
  color-scheme: light dark;
  --back: #f5f6f8; --surface: #fff; --raised: #f0f2f6; --line: #e2e5eb; --line-strong: #c3c9d4;
  --ink: #1a2030; --muted: #566074; --accent: #3451c6; --accent-ink: #fff; --accent-soft: #e9edfb;
  --high: #b3261e; --high-soft: #fdf0ee; --medium: #8f5600; --good: #1b7742;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --back: #0f1218; --surface: #161a22; --raised: #1e232d; --line: #272d39; --line-strong: #434c5d;
    --ink: #e5e8ee; --muted: #9ba5b7; --accent: #93a9ff; --accent-ink: #10162b; --accent-soft: #1f2946;
    --high: #ff8f84; --high-soft: #2c1a1c; --medium: #eeb65a; --good: #6fd09a;
  }
}
`
