// Bundles the scripts of the pages for browsers into dist/page.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

await build({
  entryPoints: { docs: join(root, 'src/page/docs/main.ts') },
  outdir: join(root, 'dist/page'),
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: ['es2022', 'safari16', 'firefox115', 'chrome111'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
})
