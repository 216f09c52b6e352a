import type { PullFiles, WorkTree } from './work-tree.ts'

export const repository = 'acme/shop'
export const webhookSecret = 'only-the-demo-knows'

/** The prefix of a token is its kind: these are classic personal access tokens. */
export const tokens = { ana: 'ghp_ana', ben: 'ghp_ben', carla: 'ghp_carla', agent: 'ghp_agent', olga: 'ghp_olga' }

const collaborators = ['ana', 'ben', 'carla', 'agent'] as const
const branches = ['feat/login', 'feat/passkeys', 'feat/cart']

export const changedFile = 'src/auth/login.ts'

/** A file that Carla adds. */
export const addedFile = { path: 'src/auth/attempts.ts', status: 'added', lines: [[0, 1]] }

const login = { path: changedFile, lines: 200 }
const guide = { path: 'docs/login.md', lines: 60 }

/** Ana's clone, in which she has changed a few lines of the files that others change too. */
export const anasWorkTree = {
  branch: 'feat/login',
  files: [
    { ...login, changed: [130, 133] },
    { ...guide, changed: [24, 25] },
  ],
} as const satisfies WorkTree

/** Carla's pull request changes the lines that Ana changes, Ben's the lines beside hers. */
export const pullFiles = {
  1: [{ ...login, changed: [120, 164] }],
  2: [{ ...guide, changed: [20, 22] }],
} as const satisfies PullFiles

const filesOf = (number: keyof typeof pullFiles) =>
  pullFiles[number].map(({ path, changed }) => ({ path, lines: [changed] }))

/** The content of the stand-in for GitHub when the story begins, in the format of its `DATA` file. */
export const githubDataWith = (heads: Readonly<Record<number, string>>) => ({
  repositories: [{ repository }],
  // Olga has an account, but no access.
  tokens: [
    ...collaborators.map((login) => ({ token: tokens[login], login, repository, role: 'write' })),
    { token: tokens.olga, login: 'olga' },
  ],
  installations: [{ login: 'acme' }],
  pushes: branches.map((branch) => ({ repository, branch })),
  // Nobody has recorded them.
  pull_requests: [
    {
      repository,
      head: 'fix/login-limit',
      title: 'Limit the attempts to log in',
      author: 'carla',
      association: 'MEMBER',
      files: [...filesOf(1), addedFile],
      commits: [{ sha: heads[1] }],
    },
    {
      repository,
      head: 'docs/login',
      title: 'Describe the login',
      author: 'ben',
      association: 'MEMBER',
      files: filesOf(2),
      commits: [{ sha: heads[2] }],
    },
  ],
})
