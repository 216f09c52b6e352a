/** Colours and type of the pages that the service makes itself: /docs and the set-up page. Nothing is loaded from elsewhere. */
export const style = `
:root {
  color-scheme: light dark;
  --back: #fff; --raised: #f5f6f9; --text: #1b1f2a; --muted: #596073; --line: #dfe2ea; --accent: #3451c6; --tint: #eceffb
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #12141b; --raised: #1b1e28; --text: #e4e7ef; --muted: #9da4b6; --line: #2d3240; --accent: #9db0ff; --tint: #1f2646
  }
}
* { box-sizing: border-box }
body { background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem; overflow-wrap: break-word }
h1, h2, h3, h4 { line-height: 1.25 }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em }
code { overflow-wrap: anywhere }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; white-space: pre-wrap }
pre code { font-size: inherit }
a { color: var(--accent) }
button { background: var(--raised); border: 1px solid var(--line); border-radius: .375rem; color: var(--text); cursor: pointer; font: inherit; font-size: .875rem; min-height: 2rem; padding: .125rem .75rem }
input, textarea { background: var(--raised); border: 1px solid var(--line); border-radius: .375rem; color: var(--text); font: inherit; max-width: 100%; min-height: 2.25rem; padding: .25rem .75rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
