export const repository = 'acme/shop'
export const webhookSecret = 'only-the-demo-knows'

/** The prefix of a token is its kind: these are classic personal access tokens. */
export const tokens = { ana: 'ghp_ana', ben: 'ghp_ben', agent: 'ghp_agent', olga: 'ghp_olga' }

const collaborators = ['ana', 'ben', 'agent'] as const
const branches = ['feat/login', 'feat/passkeys', 'feat/cart']

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
  pull_requests: [],
}
