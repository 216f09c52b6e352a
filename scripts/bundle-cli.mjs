// Bundles the command line into dist/headsup.mjs: one file without dependencies, which the service hands out.
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const outfile = join(root, 'dist/headsup.mjs')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * What runs first, on any Node. People save the file with or without its ending, so it must be a script and a module: nothing is
 * imported or awaited at its top. `require` is for Node's own modules, which modules get in this way on every Node 20.
 */
const banner = `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error('headsup needs Node 20 or newer, and this is Node ' + process.versions.node + '.')
  process.exit(2)
}
import('node:module').then(({ createRequire }) => {
const require = createRequire(process.execPath)`

await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // An old Node has to be able to read it before it can say what it needs.
  target: 'node12',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: banner },
  footer: { js: '})' },
  define: { BUNDLED_VERSION: JSON.stringify(version), 'import.meta.url': '""' },
})
chmodSync(outfile, 0o755)
