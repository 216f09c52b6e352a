// Bundles the pages for browsers into dist/page: files named by their content, each also compressed, and files.json, which says
// what the service calls them.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist/page')

/** Sizes and colours are those of all pages of the service. */
const [, tokens] = /`([^`]*)`/.exec(readFileSync(join(root, 'src/service/api/http/docs/design-tokens.ts'), 'utf8'))
const sharedTokens = {
  name: 'tokens',
  setup(plugins) {
    plugins.onResolve({ filter: /^tokens$/ }, () => ({ path: 'tokens', namespace: 'tokens' }))
    plugins.onLoad({ filter: /.*/, namespace: 'tokens' }, () => ({ contents: tokens, loader: 'css' }))
  },
}

const { outputFiles } = await build({
  entryPoints: [
    { in: join(root, 'src/page/main.tsx'), out: 'page' },
    { in: join(root, 'src/page/page.css'), out: 'page' },
  ],
  outdir: target,
  write: false,
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: ['es2022', 'safari16', 'firefox115', 'chrome111'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [sharedTokens],
})
const contents = new Map(
  outputFiles.map(({ path, contents }) => [path.slice(target.length + 1), Buffer.from(contents)]),
)
for (const name of ['icon.svg', 'icon-dotted.svg']) contents.set(name, readFileSync(join(root, 'src/page', name)))

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const files = {}
for (const [name, content] of contents) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const file = name.replace(/\.(\w+)$/, `-${hash}.$1`)
  files[name] = file
  writeFileSync(join(target, file), content)
  writeFileSync(join(target, `${file}.gz`), gzipSync(content, { level: 9 }))
  writeFileSync(join(target, `${file}.br`), brotliCompressSync(content))
}
writeFileSync(join(target, 'files.json'), JSON.stringify(files))
