// `npm start`: builds what is not built, or older than its source, and runs it in this very process, so that signals
// reach it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist/main.js')

/** @param {string} path @returns {number} */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const sources = ['src', 'prisma', 'package.json'].map((name) => join(root, name))
if (!existsSync(built) || sources.some((path) => newest(path) > statSync(built).mtimeMs)) {
  console.log('Building Headsup …')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
await import('../dist/main.js')
