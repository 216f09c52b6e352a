import { spawnSync } from 'node:child_process'

const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main']

const environment = () => ({
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
})

/** Runs git with nobody's settings. It may end with any code, as comparing and merging do. */
export function runGit(cwd: string, ...args: string[]): { code: number | null; out: string } {
  const { status, stdout, error } = spawnSync('git', [...settings, ...args], {
    cwd,
    env: environment(),
    encoding: 'utf8',
  })
  if (error) throw error
  return { code: status, out: stdout }
}

/** Commits everything that is there, and returns the commit. By one process of this large one: each takes its time. */
export function commitAll(cwd: string, message = 'Change'): string {
  const git = ['git', ...settings].join(' ')
  const script = `${git} add -A && ${git} commit -q --allow-empty -m "$1" && ${git} rev-parse HEAD`
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', message], {
    cwd,
    env: environment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`a commit ended with ${status}`)
  return stdout.trim()
}
