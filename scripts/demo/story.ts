import { z } from 'zod'
import { createCast } from './cast.ts'
import { anasWorkTree, changedFile } from './github-data.ts'
import { replayInShadow } from './replay-in-shadow.ts'
import { seeCheckRuns } from './see-check-runs.ts'
import type { Stage } from './stage.ts'
import type { StoryContext } from './story-context.ts'
import type { StoryPrinter } from './story-printer.ts'

const found = ['overlap_detected', 'severity', 'reason', 'recommended_action']
const free = { overlap_detected: false, severity: null, related_activity_ids: [] }
const cartQuestion = { branch: 'feat/cart', scope: { paths: ['src/*/session.ts'] } }

/** Runs the whole story, one request at a time. The stage says what to do about an unexpected response. */
export async function runStory(stage: Stage, printer: StoryPrinter, pause: () => Promise<void>): Promise<void> {
  const context: StoryContext = {
    cast: createCast(stage),
    stage,
    printer,
    async chapter(title) {
      await pause()
      printer.chapter(title)
    },
  }
  await seePullRequest(context)
  const login = await beginWork(context)
  await findCollision(context, login)
  const cart = await goAround(context)
  const second = await stackWork(context, login)
  await raiseNotable(context)
  await refuseStranger(context)
  const number = await seeCheckRuns(context)
  await replayInShadow(context)
  await merge(context, { login, number })
  await deleteBranch(context, second)
  await recover(context, cart)
  await lookBack(context)
  await beginAgain(context)
}

async function seePullRequest({ cast, stage, printer, chapter }: StoryContext): Promise<void> {
  await chapter('Carla’s open pull request counts, although nobody recorded it')
  printer.say(
    'It was opened before Headsup was started. Headsup has read it from GitHub, with the lines that it changes, and Ben’s too. Ana has changed a few lines of her clone, and asks with the command line. By their lines both are in her way. Then it tries the merges, in a folder of its own: Carla’s work does not merge with hers, and Ben’s does.',
  )
  await stage.runHeadsup(['check'], ['#1', 'src/auth/login.ts', '120', '164', '#1 do not merge', '#2 merge.'])
  printer.say('The list has it too, beside all that people record. The source says how Headsup knows of it.')
  await cast.get('ana', '/activity?source=pull_request', {
    expect: {
      status: 200,
      body: { source: 'pull_request', author_login: 'carla', changes: { by: 'github', files_total: 2 } },
    },
    show: ['source', 'title', 'pr_url', 'changes'],
    // The newest is first, and Carla's was opened first.
    read: (body) =>
      z
        .object({ items: z.array(z.unknown()) })
        .parse(body)
        .items.at(-1),
  })
  printer.say('Ben closes his, to go on with it later.')
  await cast.onGithub('close-pull-request', { number: 2 })
}

async function beginWork({ cast, printer, chapter }: StoryContext): Promise<string> {
  await chapter('Ana says what she is about to do')
  printer.say(
    'She takes her lines back and records her plan instead. Carla’s pull request is near, and nobody is in her way as long as she stays clear of its lines.',
  )
  const body = {
    title: 'Rework the login',
    summary: 'New form, and a second factor.',
    actor: 'Ana',
    branch: 'feat/login',
    base_branch: 'main',
    scope: { paths: ['src/auth/**'] },
  }
  return await cast.record('ana', body, {
    expect: { status: 201, body: { activity: { status: 'active', actor: 'Ana' }, overlap: free } },
    show: ['activity.id', 'activity.expires_at', 'overlap.overlap_detected', 'overlap.reason'],
  })
}

async function findCollision({ cast, printer, chapter }: StoryContext, login: string): Promise<void> {
  await chapter('Ben checks before he starts, and the response shows the collision')
  printer.say(
    'He wants to change src/*/session.ts, she src/auth/**. Neither pattern names a file of the other, but the two intersect. A check records nothing.',
  )
  await cast.post('ben', '/activity/check', cartQuestion, {
    expect: {
      status: 200,
      body: {
        overlap_detected: true,
        severity: 'medium',
        related_activity_ids: [login],
        relationships: { [login]: 'collision' },
      },
    },
    show: found,
  })
}

async function goAround({ cast, printer, chapter }: StoryContext): Promise<string> {
  await chapter('Ben takes the advice')
  printer.say('He leaves the login alone and records the rest: nothing collides any more.')
  const body = {
    title: 'Keep the cart',
    summary: 'The cart outlives the session.',
    actor: 'Ben',
    branch: 'feat/cart',
    base_branch: 'main',
    scope: { paths: ['src/cart/**'] },
  }
  return await cast.record('ben', body, {
    expect: { status: 201, body: { activity: { branch: 'feat/cart' }, overlap: free } },
    show: ['activity.id', 'overlap.overlap_detected', 'overlap.reason'],
  })
}

async function stackWork({ cast, printer, chapter }: StoryContext, login: string): Promise<string> {
  await chapter('A coding agent builds on top of Ana’s branch')
  printer.say(
    'It has a token of its own, and touches the very same files. But its branch is based on hers, so the overlap is intended: it is listed, and is no collision.',
  )
  const body = {
    title: 'Try passkeys',
    summary: 'An experiment on top of the new login.',
    actor: 'Ana',
    agent: 'coding-agent',
    branch: 'feat/passkeys',
    base_branch: 'feat/login',
    scope: { paths: ['src/auth/**'] },
  }
  return await cast.record('agent', body, {
    expect: {
      status: 201,
      body: {
        overlap: { overlap_detected: false, expected_activity_ids: [login], relationships: { [login]: 'stacked' } },
      },
    },
    show: ['activity.id', 'overlap.overlap_detected', 'overlap.reason'],
  })
}

async function raiseNotable({ cast, printer, chapter }: StoryContext): Promise<void> {
  await chapter('A notable: something to know that is on no branch')
  printer.say('Ana warns everybody of a planned change. The notable is shown for a week.')
  const notable = {
    title: 'The migration tool changes on Friday',
    summary: 'Write no new migrations until then: they would have to be redone.',
    importance: 'high',
    category: 'migration',
    scope: { paths: ['migrations/**'] },
  }
  const raised = await cast.post('ana', '/notables', notable, {
    expect: { status: 201, body: { status: 'active', importance: 'high' } },
    show: ['id', 'expires_at'],
  })
  const { id = '' } = z.object({ id: z.string().optional() }).parse(raised)
  printer.say('The agent checks before it adds a table, and the response names the notable.')
  const body = { branch: 'feat/passkeys', scope: { paths: ['migrations/0042_passkeys.sql'] } }
  await cast.post('agent', '/activity/check', body, {
    expect: { status: 200, body: { overlap_detected: true, related_notable_ids: [id], related_activity_ids: [] } },
    show: found,
  })
}

async function refuseStranger({ cast, printer, chapter }: StoryContext): Promise<void> {
  await chapter('Olga may not see the repository')
  printer.say(
    'Headsup has no accounts: it asks GitHub what a token may do. Olga’s token may not see acme/shop, so the response does not even say that it exists.',
  )
  await cast.get('olga', '/activity', {
    expect: { status: 404, body: { error: { code: 'not_found' } } },
    show: ['error.code', 'error.message'],
  })
}

async function merge(
  { cast, printer, chapter }: StoryContext,
  { login, number }: { login: string; number: number },
): Promise<void> {
  await chapter('Ana’s pull request is merged, and her work ends by itself')
  printer.say('It is merged on GitHub, here the stand-in, which reports it to Headsup in a signed webhook.')
  await cast.onGithub('merge-pull-request', { number })
  printer.say('Nobody told Headsup anything else:')
  await cast.get('ana', `/activity/${login}`, {
    expect: { status: 200, body: { status: 'archived', archived_reason: 'merged' } },
    show: ['status', 'archived_reason', 'pr_url'],
  })
  printer.say('Carla’s check run says what that is to her:')
  await cast.seeCheckRun('carla', 'fix/login-limit', {
    conclusion: 'neutral',
    title: `Merged meanwhile with the same lines: #${number} (ana); update from main`,
  })
}

async function deleteBranch({ cast, printer, chapter }: StoryContext, second: string): Promise<void> {
  await chapter('The experiment is abandoned')
  printer.say('The agent’s branch is deleted on GitHub.')
  await cast.onGithub('delete-branch', { branch: 'feat/passkeys' })
  await cast.get('agent', `/activity/${second}`, {
    expect: { status: 200, body: { status: 'archived', archived_reason: 'branch_deleted' } },
    show: ['status', 'archived_reason'],
  })
}

async function recover({ cast, stage, printer, chapter }: StoryContext, cart: string): Promise<void> {
  await chapter('Ben’s pull request is merged while Headsup is down')
  printer.say('Headsup is stopped now. GitHub cannot deliver its webhooks, and does not retry.')
  await stage.stopHeadsup()
  const number = await cast.open({ head: 'feat/cart', title: 'Keep the cart' })
  await cast.onGithub('merge-pull-request', { number })
  printer.say('Headsup is started again. It asks GitHub which deliveries failed, and requests their redelivery.')
  await stage.startHeadsup()
  const state = { method: 'POST', url: `${stage.githubUrl}/_control/state` } as const
  const lost = ['pull_request closed', 'pull_request opened', 'push']
  await stage.ask(state, {
    expect: { status: 200, body: { failed: lost, made_later: lost } },
    show: ['failed', 'made_later'],
    read: lastDeliveries,
    eventually: true,
  })
  await cast.get('ben', `/activity/${cart}`, {
    expect: { status: 200, body: { status: 'archived', archived_reason: 'merged' } },
    show: ['status', 'archived_reason'],
  })
}

const Deliveries = z.object({
  deliveries: z.array(z.object({ event: z.string(), action: z.string().nullable(), status: z.string() })),
})

/** The failed deliveries and those after the last failed one, both sorted because GitHub keeps no order. */
function lastDeliveries(state: unknown): { failed: string[]; made_later: string[] } {
  const { deliveries } = Deliveries.parse(state)
  const named = (list: typeof deliveries) =>
    list.map(({ event, action }) => (action ? `${event} ${action}` : event)).toSorted()
  const isFailed = ({ status }: { status: string }) => status !== 'OK'
  return {
    failed: named(deliveries.filter(isFailed)),
    made_later: named(deliveries.slice(deliveries.findLastIndex(isFailed) + 1)),
  }
}

async function lookBack({ cast, printer, chapter }: StoryContext): Promise<void> {
  await chapter('All recorded work has ended without anybody ending it')
  printer.say('Of what people recorded nothing lives any more. Carla’s pull request is still open.')
  await cast.get('ana', '/activity?source=recorded', { expect: { status: 200, body: { items: [] } }, show: ['items'] })
  printer.say(
    'The agent is about to change the files that Ben first wanted to change. Nothing collides, and the response lists what was merged there recently.',
  )
  const body = { ...cartQuestion, branch: 'feat/remember-me' }
  await cast.post('agent', '/activity/check', body, {
    expect: {
      status: 200,
      body: { ...free, reuse_opportunities: [{ branch: 'feat/cart' }, { branch: 'feat/login' }] },
    },
    show: found,
  })
}

/** Ends with work that collides, as on docs/page.png: the page has something to show while the demo keeps running. */
async function beginAgain({ cast, printer, chapter }: StoryContext): Promise<void> {
  await chapter('Work begins again, and the page shows who collides')
  printer.say(
    'Ana works on the lines that Carla’s pull request changes, Ben on a file that Ana names, and the agent on top of Ana’s branch.',
  )
  const ana = {
    title: 'Rework the login',
    summary: 'The second factor.',
    actor: 'Ana',
    branch: 'feat/login-2',
    base_branch: 'main',
    scope: { paths: ['src/auth/session.ts'] },
    changes: { files: [{ path: changedFile, lines: [anasWorkTree.files[0].changed] }] },
  }
  const ben = {
    title: 'Keep the cart',
    summary: 'After a new login, too.',
    actor: 'Ben',
    branch: 'feat/cart-2',
    base_branch: 'main',
    scope: { paths: ['src/cart/**', 'src/*/session.ts'] },
  }
  const agent = {
    title: 'Try passkeys',
    summary: 'A second experiment.',
    actor: 'Ana',
    agent: 'coding-agent',
    branch: 'feat/passkeys-2',
    base_branch: 'feat/login-2',
    scope: { paths: ['src/auth/a*.ts', 'src/auth/session.ts'] },
  }
  const collides = (severity: string) => ({
    expect: { status: 201, body: { overlap: { overlap_detected: true, severity } } },
    show: ['overlap.severity', 'overlap.reason'],
  })
  await cast.record('ana', ana, collides('high'))
  await cast.record('ben', ben, collides('medium'))
  await cast.record('agent', agent, collides('medium'))
  printer.say('This is what the page shows, the worst first:')
  await cast.get('ana', '/collisions?limit=1', {
    expect: { status: 200, body: { severity: 'high', example_path: changedFile } },
    show: ['severity', 'example_path', 'lines', 'reason'],
    read: (body) =>
      z
        .object({ items: z.array(z.unknown()) })
        .parse(body)
        .items.at(0),
  })
}
