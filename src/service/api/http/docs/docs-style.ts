import { style } from './base-style.ts'

/** The style sheet of /docs. */
export const docsStyle = `${style}
:root { --bar: 3.25rem }
html { scroll-padding-top: calc(var(--bar) + 1rem) }
body { max-width: none; padding: 0 }

header { align-items: center; background: var(--surface); border-bottom: 1px solid var(--line); display: flex; gap: 1rem; height: var(--bar); padding: 0 1rem; position: sticky; top: 0; z-index: 2 }
.jump { background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; color: var(--ink); font-size: .875rem; padding: .25rem .75rem; text-decoration: none }
header ul { display: flex; font-size: .875rem; gap: 1rem; list-style: none; margin: 0 0 0 auto; padding: 0 }
header ul a { color: var(--muted) }
header ul a:hover { color: var(--accent) }
.brand { align-items: center; color: var(--ink); display: flex; gap: .5rem; font-weight: 600; text-decoration: none }
.brand::before { background: url(/-/page/icon.svg) center / contain; content: ''; height: 1.5rem; width: 1.5rem }

#contents { font-size: .875rem; margin: 0 auto; max-width: 52rem; padding: 1rem 1rem 1.5rem }
#contents ul { list-style: none; margin: 0; padding: 0 }
#contents a, #contents summary { border-radius: .5rem; color: var(--muted); align-items: baseline; display: flex; gap: .5rem; justify-content: space-between; padding: .25rem .5rem; text-decoration: none }
#contents summary { cursor: pointer; justify-content: start }
#contents summary::before { content: '+'; width: .75em }
#contents details[open] > summary::before { content: '−' }
#contents a:hover, #contents summary:hover { background: var(--raised); color: var(--ink) }
.list > li { margin-top: .75rem }
#contents .list > li > a { color: var(--ink); font-weight: 600 }

main { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem }
h1 { font-size: 1.25rem; margin: 0 0 1rem }
h2 { border-bottom: 1px solid var(--line); font-size: 1.25rem; margin: 1.5rem 0 1rem; padding: 1.5rem 0 .5rem }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; padding: .5rem 0 .25rem }
h3 code { font-size: 1rem }
h3 a { color: inherit; text-decoration: none }
h3 a:hover::after { color: var(--muted); content: ' #' }
h4 { color: var(--muted); font-size: .875rem; font-weight: 600; margin: 1.5rem 0 .25rem }
h2:target, h3:target { background: var(--accent-soft); border-radius: .25rem; box-shadow: -.5rem 0 var(--accent-soft), .5rem 0 var(--accent-soft) }
.call { align-items: baseline; flex-wrap: wrap; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; display: flex; gap: 0 .75rem; padding: .5rem .75rem }
.method { color: var(--muted); font: 600 .75rem/1.6 var(--mono) }
.call .method { color: var(--accent); font-size: .8125rem }
.calls { padding-left: 1.5rem }
.calls li::marker { color: var(--muted) }
dl { border-bottom: 1px solid var(--line); margin: 0 }
.field { border-top: 1px solid var(--line); padding: .5rem 0 }
.field:target { background: var(--accent-soft); box-shadow: -.5rem 0 var(--accent-soft), .5rem 0 var(--accent-soft) }
dt { align-items: baseline; column-gap: .75rem; display: flex; flex-wrap: wrap }
dt > code { font-weight: 600 }
dt em { color: var(--accent); font-size: .8125rem; font-style: normal }
dd { color: var(--ink); font-size: .875rem; margin: 0 }
dd:empty { display: none }
.type { color: var(--muted); font-size: .875rem }
.in-1 { padding-left: 1rem }
.in-2 { padding-left: 1.5rem }
summary { cursor: pointer }
.codes { columns: 2 16rem; list-style: none; padding: 0 }
.status { background: var(--raised); border: 1px solid var(--line); border-radius: .75rem; color: var(--muted); font-size: .8125rem; font-weight: 400; margin-left: .25rem; padding: 0 .5rem }

@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: max(18rem, calc(50% - 27rem)) minmax(0, 1fr) }
  header { grid-column: 1 / -1; padding: 0 max(1rem, calc(50% - 43.75rem)) }
  .jump:not(:focus) { clip-path: inset(50%); position: absolute }
  #contents { align-self: start; border-right: 1px solid var(--line); grid-area: 2 / 1; height: calc(100vh - var(--bar)); justify-self: end; margin: 0; overflow-y: auto; overscroll-behavior: contain; padding: 1rem 1rem 1.5rem; position: sticky; top: var(--bar); width: 18rem }
  main { grid-column: 2; margin: 0; padding: 1.5rem 1.5rem 50vh }
}
@media (max-width: 30rem) {
  header { gap: .75rem; padding: 0 1rem }
  header ul { font-size: .8125rem; gap: .5rem }
  .jump { padding: .25rem .5rem }
}
@media (max-width: 24rem) {
  .brand::before { display: none }
}
@media print { header, #contents { display: none } }
`
