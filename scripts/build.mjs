import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} path @returns {number} */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

/**
 * Runs the command if `built` does not exist or is older than one of its sources. Paths are relative to the top of the
 * repository. Ends this process if the command fails.
 *
 * @param {string} built @param {string[]} sources @param {string[]} command
 */
export function build(built, sources, [program, ...parameters]) {
  const path = join(root, built)
  if (existsSync(path) && sources.every((source) => newest(join(root, source)) <= statSync(path).mtimeMs)) return
  console.log(`Building ${built} …`)
  const { status } = spawnSync(program, parameters, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

export function buildProgram() {
  build('dist/service/main.js', ['src', 'prisma', 'package.json'], ['npm', 'run', '--silent', 'build'])
}
