import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file, and the lines that somebody changes in it, counted from 1, the last one included. */
export interface DemoFile {
  path: string
  /** How many lines it has on the default branch. */
  lines: number
  changed: readonly [number, number]
}

/** What pull requests change, by their number, in the repository that the clone has. */
export type PullFiles = Readonly<Record<number, readonly DemoFile[]>>

/** Creates the repository as GitHub has it, in a directory that must not exist. Returns the heads of the pull requests. Needs git. */
export async function createRemote(directory: string, pulls: PullFiles): Promise<Record<number, string>> {
  const start = `${directory}.start`
  await mkdir(start, { recursive: true })
  const git = gitIn(start)
  await git('init', '--quiet', '--bare', directory)
  await git('--git-dir', directory, 'config', 'uploadpack.allowFilter', 'true')
  await git('init', '--quiet')
  await git('symbolic-ref', 'HEAD', 'refs/heads/main')
  for (const file of Object.values(pulls).flat()) await writeLines(start, { ...file, changed: [0, 0] })
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Begin')
  await git('push', '--quiet', directory, 'HEAD:refs/heads/main')
  const heads: Record<number, string> = {}
  for (const [number, files] of Object.entries(pulls)) {
    await git('checkout', '--quiet', '--detach', 'main')
    for (const file of files) await writeLines(start, file, 'theirs')
    await git('commit', '--quiet', '--all', '--message', 'Work')
    await git('push', '--quiet', directory, `HEAD:refs/pull/${number}/head`)
    heads[Number(number)] = (await git('rev-parse', 'HEAD')).stdout.trim()
  }
  return heads
}

/** A clone in which one person has changed some lines. */
export interface WorkTree {
  branch: string
  files: readonly DemoFile[]
}

/** Creates the clone in the directory, which must not exist. `url` is the remote's from then on. */
export async function createWorkTree(
  directory: string,
  { branch, files }: WorkTree,
  { remote, url }: { remote: string; url: string },
): Promise<void> {
  await gitIn(dirname(directory))(
    'clone',
    '--quiet',
    '--single-branch',
    '--branch',
    'main',
    `file://${remote}`,
    directory,
  )
  const git = gitIn(directory)
  await git('remote', 'set-url', 'origin', url)
  await git('checkout', '--quiet', '-b', branch)
  for (const file of files) await writeLines(directory, file, 'changed')
}

/** Without the settings of the user and of the machine. */
function gitIn(cwd: string) {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com']
  return (...args: string[]) => run('git', [...author, ...args], { cwd, env })
}

async function writeLines(top: string, { path, lines, changed: [first, last] }: DemoFile, word = ''): Promise<void> {
  const text = (line: number) => (line >= first && line <= last ? `// line ${line}, ${word}` : `// line ${line}`)
  const file = join(top, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, Array.from({ length: lines }, (_, index) => `${text(index + 1)}\n`).join(''))
}
