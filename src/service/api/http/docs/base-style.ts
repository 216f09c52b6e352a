import { tokens } from './design-tokens.ts'

/** The style of /docs and the set-up page. Nothing is loaded from elsewhere. */
export const style = `${tokens}* { box-sizing: border-box }
body { background: var(--surface); color: var(--ink); font: 1rem/1.6 var(--sans); margin: 0 auto; max-width: 62rem; padding: 1rem; overflow-wrap: break-word }
h1, h2, h3, h4 { line-height: 1.25 }
code, pre, kbd { font-family: var(--mono); font-size: .875rem }
code { overflow-wrap: anywhere }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; white-space: pre-wrap }
pre code { font-size: inherit }
a { color: var(--accent) }
button { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; color: var(--ink); cursor: pointer; font: inherit; font-size: .875rem; min-height: 2rem; padding: .25rem .75rem }
input, textarea { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; color: var(--ink); font: inherit; max-width: 100%; min-height: 2.25rem; padding: .25rem .75rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
