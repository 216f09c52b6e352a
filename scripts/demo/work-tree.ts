import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A clone in which one person has changed some lines of a file. */
export interface WorkTree {
  repository: string
  branch: string
  file: string
  /** How many lines the file has on the default branch. */
  lines: number
  /** The changed lines, counted from 1, the last one included. */
  changed: readonly [number, number]
}

/** Creates the clone in the directory, which must not exist. Needs git. */
export async function createWorkTree(directory: string, tree: WorkTree): Promise<void> {
  const { PATH = '' } = process.env
  // Without the settings of the user and of the machine.
  const env = { PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) => run('git', args, { cwd: directory, env })
  const path = join(directory, tree.file)
  await mkdir(dirname(path), { recursive: true })
  await git('init', '--quiet')
  await git('symbolic-ref', 'HEAD', 'refs/heads/main')
  await writeFile(path, contentOf(tree.lines))
  await git('add', '.')
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com']
  await git(...author, 'commit', '--quiet', '--message', 'Begin')
  await git('remote', 'add', 'origin', `https://github.com/${tree.repository}.git`)
  // The stand-in of GitHub serves no git.
  await git('config', 'headsup.merge', 'false')
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
  await git('checkout', '--quiet', '-b', tree.branch)
  await writeFile(path, contentOf(tree.lines, tree.changed))
}

function contentOf(lines: number, [first, last]: readonly [number, number] = [0, 0]): string {
  const text = (line: number) => (line >= first && line <= last ? `// line ${line}, changed` : `// line ${line}`)
  return Array.from({ length: lines }, (_, index) => `${text(index + 1)}\n`).join('')
}
