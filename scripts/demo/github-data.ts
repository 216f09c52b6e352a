import type { WorkTree } from './work-tree.ts'

export const repository = 'acme/shop'
export const webhookSecret = 'only-the-demo-knows'

/** The prefix of a token is its kind: these are classic personal access tokens. */
export const tokens = { ana: 'ghp_ana', ben: 'ghp_ben', carla: 'ghp_carla', agent: 'ghp_agent', olga: 'ghp_olga' }

const collaborators = ['ana', 'ben', 'carla', 'agent'] as const
const branches = ['feat/login', 'feat/passkeys', 'feat/cart']

export const changedFile = 'src/auth/login.ts'

/** A file that Carla adds. */
export const addedFile = { path: 'src/auth/attempts.ts', status: 'added', lines: [[0, 1]] }

/** Ana's clone, in which she has changed a few lines of the file that Carla changes too. */
export const anasWorkTree: WorkTree = {
  repository,
  branch: 'feat/login',
  file: changedFile,
  lines: 200,
  changed: [130, 133],
}

/** The content of the stand-in for GitHub when the story begins, in the format of its `DATA` file. */
export const githubData = {
  repositories: [{ repository }],
  // Olga has an account, but no access.
  tokens: [
    ...collaborators.map((login) => ({ token: tokens[login], login, repository, role: 'write' })),
    { token: tokens.olga, login: 'olga' },
  ],
  installations: [{ login: 'acme' }],
  pushes: branches.map((branch) => ({ repository, branch })),
  // Nobody has recorded it.
  pull_requests: [
    {
      repository,
      head: 'fix/login-limit',
      title: 'Limit the attempts to log in',
      author: 'carla',
      association: 'MEMBER',
      files: [{ path: changedFile, lines: [[120, 164]] }, addedFile],
    },
  ],
}
