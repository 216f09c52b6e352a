/** The style sheet of /docs and the set-up page. It loads nothing from elsewhere. */
export const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent) }
body { background: Canvas; color: CanvasText; font: 1rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem }
.skip { position: absolute; left: -999rem }
.skip:focus { position: static }
nav ul { columns: 3 14rem; padding-left: 1rem }
h1, h2, h3 { line-height: 1.2 }
h2 { border-bottom: 1px solid var(--line); margin-top: 3rem; padding-bottom: .3rem }
h3 { margin-top: 2rem; scroll-margin-top: 1rem }
:target { outline: 3px solid Highlight; outline-offset: .3rem }
code, pre { font: .92em/1.5 ui-monospace, monospace }
pre, .call { background: color-mix(in srgb, currentColor 8%, transparent); overflow-x: auto; padding: .6rem .8rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
caption { font-weight: 600; padding: .5rem 0; text-align: left }
th, td { border-top: 1px solid var(--line); padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top }
th em { font-size: .85em; font-weight: 400 }
a { color: LinkText }
`
