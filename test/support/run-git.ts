import { spawnSync } from 'node:child_process'

const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main']

/** Runs git with nobody's settings. It may end with any code, as comparing and merging do. */
export function runGit(cwd: string, ...args: string[]): { code: number | null; out: string } {
  const env = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const { status, stdout, error } = spawnSync('git', [...settings, ...args], { cwd, env, encoding: 'utf8' })
  if (error) throw error
  return { code: status, out: stdout }
}
