import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  addInstallation,
  addPull,
  addRepository,
  closePull,
  type GithubData,
  modified,
  type Pull,
} from '../../test/support/github-server/data.ts'

const run = promisify(execFile)

/** The prefix of a token is its kind: these are classic personal access tokens. */
export const tokens = { ana: 'ghp_ana', ben: 'ghp_ben', carla: 'ghp_carla' }

const login = { path: 'src/auth/login.ts', lines: 200 }
const guide = { path: 'docs/login.md', lines: 60 }

/** Which lines somebody changes, counted from 1, the last one included. */
interface Change {
  path: string
  lines: number
  changed: readonly [first: number, last: number]
}

/** Carla changes the lines that Ana changes, Ben changes lines beside hers. */
const pulls = [
  {
    number: 1,
    title: 'Limit the attempts to log in',
    author: 'carla',
    branch: 'fix/login-limit',
    files: [{ ...login, changed: [120, 164] }],
  },
  {
    number: 2,
    title: 'Describe the login',
    author: 'ben',
    branch: 'docs/login',
    files: [{ ...guide, changed: [20, 22] }],
  },
] as const satisfies readonly { files: readonly Change[]; [key: string]: unknown }[]

const anasChanges: readonly Change[] = [
  { ...login, changed: [130, 133] },
  { ...guide, changed: [24, 25] },
]

/** Makes `acme/shop` at the stand-in for GitHub, its git repository, and Ana's clone of it. Needs git. */
export async function createWorld(data: GithubData, directory: string, origin: string) {
  const remote = join(directory, 'git', 'acme', 'shop.git')
  const heads = await createRemote(remote)
  for (const [name, token] of Object.entries(tokens)) data.tokens.set(token, name)
  const roles = { ana: 'write', ben: 'write', carla: 'write' } as const
  const repository = addRepository(data, { owner: 'acme', name: 'shop', roles })
  const opened: Pull[] = pulls.map(({ number, title, author, branch, files }) =>
    addPull(repository, {
      ...{ number, title, author, association: 'MEMBER' },
      head: { branch, sha: heads.get(number) ?? '' },
      files: files.map(({ path, changed: [first, last] }) => modified(path, [first, last])),
    }),
  )
  const { id } = addInstallation(data, { account: 'acme' })
  const clone = join(directory, 'shop')
  const git = gitIn(dirname(clone))
  await git('clone', '--quiet', '--single-branch', '--branch', 'main', `file://${remote}`, clone)
  const gitOfClone = gitIn(clone)
  await gitOfClone('remote', 'set-url', 'origin', `${origin}/acme/shop.git`)
  await gitOfClone('config', 'user.name', 'Ana')
  await gitOfClone('switch', '--quiet', '--create', 'feat/login')
  for (const change of anasChanges) await writeLines(clone, change, 'Ana’s')
  const [carlas] = opened
  if (!carlas) throw new Error('Carla has no pull request')
  /** GitHub's button: the default branch moves, and Ana fetches it. */
  const merge = async (pull: Pull) => {
    closePull(pull, true)
    await git('--git-dir', remote, 'update-ref', 'refs/heads/main', pull.head.sha)
    await gitOfClone('fetch', '--quiet', `file://${remote}`, 'main:refs/remotes/origin/main')
  }
  return { repository, clone, carlas, merge, installation: { id } }
}

/** The repository as GitHub has it. Returns the heads of the pull requests. */
async function createRemote(directory: string): Promise<Map<number, string>> {
  const start = `${directory}.start`
  await mkdir(start, { recursive: true })
  const git = gitIn(start)
  await git('init', '--quiet', '--bare', directory)
  await git('--git-dir', directory, 'config', 'uploadpack.allowFilter', 'true')
  await git('--git-dir', directory, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  await git('--git-dir', directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
  await git('init', '--quiet')
  await git('symbolic-ref', 'HEAD', 'refs/heads/main')
  for (const file of [login, guide]) await writeLines(start, { ...file, changed: [0, 0] })
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'Begin')
  await git('push', '--quiet', directory, 'HEAD:refs/heads/main')
  const heads = new Map<number, string>()
  for (const { number, author, branch, files } of pulls) {
    await git('checkout', '--quiet', '--detach', 'main')
    for (const file of files) await writeLines(start, file, author)
    await git('commit', '--quiet', '--all', '--message', 'Work')
    await git('push', '--quiet', directory, `HEAD:refs/pull/${number}/head`, `HEAD:refs/heads/${branch}`)
    heads.set(number, (await git('rev-parse', 'HEAD')).stdout.trim())
  }
  return heads
}

/** Without the settings of the user and of the machine. */
function gitIn(cwd: string) {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' }
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com']
  return (...args: string[]) => run('git', [...author, ...args], { cwd, env })
}

async function writeLines(top: string, { path, lines, changed: [first, last] }: Change, word = ''): Promise<void> {
  const text = (line: number) => (line >= first && line <= last ? `// line ${line}, ${word}` : `// line ${line}`)
  const file = join(top, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, Array.from({ length: lines }, (_, index) => `${text(index + 1)}\n`).join(''))
}
