// Bundles the pages for browsers: dist/page has the scripts, the style sheet and the icon that the service serves.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

await build({
  entryPoints: [
    { in: join(root, 'src/page/main.tsx'), out: 'page' },
    { in: join(root, 'src/page/page.css'), out: 'page' },
  ],
  outdir: join(root, 'dist/page'),
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: ['es2022', 'safari16', 'firefox115', 'chrome111'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
})
copyFileSync(join(root, 'src/page/icon.svg'), join(root, 'dist/page/icon.svg'))
