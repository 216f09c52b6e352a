export interface Example {
  title: string
  /** A shell command that runs with HEADSUP_URL, GITHUB_TOKEN, REPO and, after the first create, ACTIVITY set. */
  shell: string
}

function curl(path: string, options: string[] = []): string {
  const parts = [
    'curl -sS',
    '-H "Authorization: Bearer $GITHUB_TOKEN"',
    ...options,
    `"$HEADSUP_URL/api/v1/repos/$REPO${path}"`,
  ]
  return parts.join(' \\\n  ')
}

const json = (body: object) => ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]

const plan = { branch: 'feat/login', base_branch: 'main', scope: { areas: ['auth'], paths: ['src/auth/**'] } }
const work = {
  title: 'Rework the login',
  summary: 'Sessions move to the database.',
  actor: 'Alice',
  agent: 'claude-code',
}

/** The main calls in the order of use, for llms.txt and /docs. */
export const examples: readonly Example[] = [
  { title: 'Before you start: does your plan overlap with anything?', shell: curl('/activity/check', json(plan)) },
  {
    title: 'When you start: announce the work. Keep `activity.id` of the response as ACTIVITY.',
    shell: curl('/activity', ["-H 'Idempotency-Key: feat-login-1'", ...json({ ...work, ...plan })]),
  },
  {
    title: 'While you work, about every hour: send a heartbeat.',
    shell: curl('/activity/$ACTIVITY/heartbeat', ['-X POST']),
  },
  {
    title:
      'When the scope, status or pull request changes: update the activity. Only the fields sent change; a scope is replaced as a whole.',
    shell: curl('/activity/$ACTIVITY', [
      '-X PATCH',
      ...json({ scope: { ...plan.scope, paths: ['src/auth/**', 'src/session.ts'] }, risk: 'high' }),
    ]),
  },
  {
    title: 'When you are done and no merge ends it: archive the activity.',
    shell: curl('/activity/$ACTIVITY/archive', ['-X POST']),
  },
]
