// Bundles the command line into one file without dependencies, dist/headsup.mjs, and into a package of its own,
// dist/package, for `npm pack`. The service puts its own address into the file where it hands it out.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { releaseNeeded } from './check-node.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version, description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const file = join(root, 'dist/headsup.mjs')

/**
 * Runs before everything else, on any version of Node. The file has no `import` and no `await` at the top: an old Node reads
 * a file without extension as CommonJS, and would end with a syntax error. `require` is Node's own function for built-in
 * modules, which is there in ES modules too.
 */
const banner = `{
  const needed = (${releaseNeeded})(${JSON.stringify(engines.node)}, process.versions.node)
  if (needed) {
    console.error('headsup needs Node ' + needed + ' or newer, and this is ' + process.versions.node + '.')
    process.exit(2)
  }
}
var require = process.getBuiltinModule`

await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  banner: { js: banner },
  define: {
    BUNDLED_FACTS: JSON.stringify({ version, address: '@HEADSUP_ADDRESS@' }),
    // Only read where there are no bundled facts.
    'import.meta.url': '""',
  },
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
