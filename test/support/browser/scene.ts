import type { Client } from '../service.ts'

/** Work of several people with collisions of each severity, and three notables. `mine` is Ana's, who looks at the page. */
export async function fillScene(mine: Client, others: (login: string) => Client): Promise<void> {
  const work = async (client: Client, body: object) => {
    const answer = await client.post('/activity', { summary: 'As discussed.', base_branch: 'main', ...body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  }
  const [ana, ben, carla, dave] = ['Ana', 'Ben', 'carla', 'dave']
  await work(others('dave'), {
    ...{
      title: 'Sum the cart once, and not for each of the lines that a customer adds to it',
      actor: dave,
      branch: 'perf/totals',
      issues: [77],
    },
    changes: { files: [{ path: 'src/cart/totals.ts', lines: [[40, 58]] }] },
  })
  await work(mine, {
    ...{ title: 'Rework the login', summary: 'New form, and a second factor.', actor: ana, branch: 'feat/login' },
    scope: { paths: ['src/auth/**'] },
    changes: { files: [{ path: 'src/auth/login.ts', lines: [[130, 133]] }] },
  })
  await work(others('ben'), {
    ...{ title: 'Keep the cart after signing out', actor: ben, agent: 'claude-code', branch: 'feat/cart' },
    ...{ scope: { paths: ['src/cart/**', 'src/*/session.ts'], areas: ['checkout'] }, risk: 'high' },
  })
  await work(others('carla'), {
    ...{ title: 'Limit the attempts to log in', actor: carla, branch: 'fix/login-limit' },
    ...{ pr_url: `https://github.com/acme/${mine.repository.name}/pull/41`, issues: [42] },
    changes: {
      files: [
        { path: 'src/auth/login.ts', lines: [[120, 164]] },
        { path: 'src/auth/attempts.ts', status: 'added', lines: [[1, 0]] },
      ],
    },
  })
  await work(others('eve'), {
    ...{ title: 'Totals with the new price engine', actor: 'Eve', agent: 'codex', branch: 'feat/prices' },
    ...{ issues: [77], blocking: true, scope: { areas: ['Checkout'], paths: ['src/prices/engine.ts'] } },
  })
  await work(others('finn'), {
    ...{ title: 'Docs of the public API', actor: 'Finn', branch: 'docs/api', scope: { paths: ['docs/**/*.md'] } },
    pr_url: 'https://github.com/acme/site/pull/41',
  })
  const notable = (body: object) => mine.post('/notables', body)
  await notable({
    ...{ title: 'Release freeze', summary: 'Merge fixes alone until 2.4 is out.', importance: 'critical' },
    category: 'release',
  })
  await notable({
    ...{ title: 'The migration tool changes', category: 'migration', importance: 'high', blocking: true },
    ...{ summary: 'Write no new migrations this week: they would have to be redone.' },
    scope: { paths: ['migrations/**'] },
  })
  await notable({
    ...{ title: 'Session tokens become opaque', category: 'security', importance: 'medium' },
    ...{ summary: 'Read claims with readSession(), not from the token itself.' },
    ...{ decision_url: 'https://example.com/adr/31', scope: { paths: ['src/auth/**'] } },
  })
}
