// Bundles the command line into one file without dependencies, dist/headsup.mjs, and into a package of its own,
// dist/package, for `npm pack`. The service puts its own address into the file where it hands it out.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version, description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const file = join(root, 'dist/headsup.mjs')
const oldest = /^\^(\d+)\.(\d+)/.exec(engines.node) ?? []

/** Runs before everything else, on any version of Node that has modules. */
const banner = `{
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < ${oldest[1]} || (major === ${oldest[1]} && minor < ${oldest[2]})) {
    console.error('headsup needs Node ${oldest[1]}.${oldest[2]} or newer, and this is ' + process.versions.node + '.')
    process.exit(2)
  }
}`

await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: banner },
  define: { BUNDLED_FACTS: JSON.stringify({ version, address: '@HEADSUP_ADDRESS@' }) },
})
chmodSync(file, 0o755)

const directory = join(root, 'dist/package')
mkdirSync(directory, { recursive: true })
copyFileSync(file, join(directory, 'headsup.mjs'))
copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'))
copyFileSync(join(root, 'docs/command-line.md'), join(directory, 'README.md'))
const manifest = {
  name,
  version,
  description,
  license,
  type: 'module',
  engines,
  bin: { headsup: 'headsup.mjs' },
  files: ['headsup.mjs'],
}
writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
