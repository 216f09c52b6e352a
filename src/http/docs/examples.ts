export interface Example {
  title: string
  /** Shell that runs as it stands, given HEADSUP_URL, GITHUB_TOKEN and REPO (and ACTIVITY, once there is one). */
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

/** The calls that matter, in the order in which work needs them: in llms.txt and on the reading page. */
export const examples: readonly Example[] = [
  { title: 'Before you start: does your plan overlap with anything?', shell: curl('/activity/check', json(plan)) },
  {
    title: 'When you start: announce the work. Keep `activity.id` of the answer as ACTIVITY.',
    shell: curl('/activity', ["-H 'Idempotency-Key: feat-login-1'", ...json({ ...work, ...plan })]),
  },
  {
    title: 'While you work, every hour or so: say that it goes on.',
    shell: curl('/activity/$ACTIVITY/heartbeat', ['-X POST']),
  },
  {
    title:
      'When the work changes place, status or pull request: say so. Only the fields sent change; a scope is replaced whole.',
    shell: curl('/activity/$ACTIVITY', [
      '-X PATCH',
      ...json({ scope: { ...plan.scope, paths: ['src/auth/**', 'src/session.ts'] }, risk: 'high' }),
    ]),
  },
  {
    title: 'When you are done, and no merge will tell: end it.',
    shell: curl('/activity/$ACTIVITY/archive', ['-X POST']),
  },
]
