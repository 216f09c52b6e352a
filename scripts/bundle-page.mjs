// Bundles the page for browsers into dist/page: files named by their content, each also compressed, and files.json, which says what
// the service calls them.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist/page')

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
  target: ['es2023', 'safari17.5', 'firefox120', 'chrome123'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
})
const contents = new Map(
  outputFiles.map(({ path, contents }) => [path.slice(target.length + 1), Buffer.from(contents)]),
)
contents.set('icon.svg', readFileSync(join(root, 'src/page/icon.svg')))

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
