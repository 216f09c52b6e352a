export const repository = 'acme/shop'
export const webhookSecret = 'only-the-demo-knows'

/** What a token begins with says its kind: these are classic personal ones. */
export const tokens = { ana: 'ghp_ana', ben: 'ghp_ben', agent: 'ghp_agent', olga: 'ghp_olga' }

const collaborators = ['ana', 'ben', 'agent'] as const
const branches = ['feat/login', 'feat/passkeys', 'feat/cart']

/** What there is on the stand-in for GitHub when the story begins, as its `WORLD` file has it. */
export const world = {
  repositories: [{ repository }],
  // Olga has an account, and no access.
  tokens: [
    ...collaborators.map((login) => ({ token: tokens[login], login, repository, role: 'write' })),
    { token: tokens.olga, login: 'olga' },
  ],
  installations: [{ login: 'acme' }],
  pushes: branches.map((branch) => ({ repository, branch })),
  pull_requests: [],
}
