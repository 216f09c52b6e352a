import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { shown, spreadOf } from './measure.ts'
import { processorTime, type Subject, timesByTurns } from './processor-time.ts'
import { fileName, startStandIn } from './stand-in.ts'

/**
 * Measures the processor time of a check that tries merges with 0, 3, 10 and 20 pull requests of a repository behind HTTP, and of a
 * hook before an edit with a file that is kept and without one, by turns in one run: `node .bench/bench/merge-cost.js`.
 */
const program = resolve('dist/headsup.mjs')
const rounds = 9
const runsOfRound = 4
const candidateCounts = [0, 3, 10, 20]
const files = 2_000
const heads: string[] = []
const { directory, origin, stop } = await startStandIn(answerTo)
try {
  await measure()
} finally {
  stop()
}

/** The number of candidates is in the path of the service's address: `/20/api/v1/…`. */
function answerTo(path: string): object {
  const [, count = '', kind = '', rest = ''] = /^\/(\d+)(known)?(\/.*)$/.exec(path) ?? []
  if (rest === '/api/v1') return { name: 'headsup', github_server_url: origin }
  const overlap = overlapWith(Number(count), kind !== '')
  if (rest.endsWith('/check')) return overlap
  const activity = { id: 'act_0', title: 'Work', actor: 'Alice', status: 'active', scope: { areas: [], paths: [] } }
  return { ...activity, items: [], activity, overlap }
}

/** Without the ids of their heads, no try answers the next one. */
function overlapWith(count: number, areHeadsKnown: boolean): object {
  const candidates = Array.from({ length: count }, (_, index) => ({
    ...{ activity_id: `act_${index + 1}`, number: index + 1, branch: null, base_branch: 'main', severity: null },
    head_sha: areHeadsKnown ? heads[index] : null,
    files: [{ path: fileName(index), previous_path: null, ignored: false }],
  }))
  return {
    ...{ overlap_detected: false, clear: true, obstacles: [], severity: null, reason: 'None.' },
    ...{ recommended_action: 'Go ahead.', messages: [], candidates, candidates_total: count },
  }
}

async function measure() {
  const top = makeRepositories()
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GITHUB_TOKEN: 'ghp_x',
    HEADSUP_HOOK_LIMIT_MS: '20000',
    HEADSUP_MERGE_LIMIT_MS: '60000',
  }
  const start = [process.execPath, program]
  const at = (place: string, cache: string) => ({
    HEADSUP_URL: `${origin}/${place}`,
    XDG_CACHE_HOME: join(directory, cache),
  })
  const check = (name: string, place: string, ...flags: string[]): Subject => ({
    ...{ name, command: [...start, 'check', '--json', '--repo', 'acme/shop', ...flags] },
    ...{ input: () => '', env: at(place, `cache-${place}`) },
  })
  let edits = 0
  const hook = (name: string, cache: string, merge: 'true' | 'false'): Subject => ({
    ...{ name, command: [...start, 'hook', 'claude', '--repo', 'acme/shop'] },
    env: {
      ...at('1known', cache),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'headsup.merge',
      GIT_CONFIG_VALUE_0: merge,
    },
    input() {
      edits += 1
      const tool_input = {
        file_path: join(top, fileName(0)),
        old_string: `line ${20 + (edits % 60)}\n`,
        new_string: 'new\n',
      }
      return JSON.stringify({
        session_id: 's1',
        cwd: top,
        hook_event_name: 'PreToolUse',
        tool_name: 'Edit',
        tool_input,
      })
    },
  })
  const run = (subject: Subject) => processorTime(subject, runsOfRound, { cwd: top, env, directory })
  // Keeps the file of the first pull request for the hook.
  await run({ ...check('', '1known'), env: at('1known', 'cache-hook') })
  const today = check('headsup check --no-merge, 20 pull requests', '20', '--no-merge')
  const subjects = [
    today,
    ...candidateCounts.map((count) => check(`headsup check, ${count} pull requests`, String(count))),
    check('headsup check, 20 pull requests, nothing moved', '20known'),
    hook('a hook before an edit, merges switched off', 'cache-none', 'false'),
    hook('a hook before an edit, nothing kept', 'cache-none', 'true'),
    hook('a hook before an edit, a file kept', 'cache-hook', 'true'),
  ]
  const times = await timesByTurns(subjects, rounds, run)
  const base = spreadOf(times.get(today) ?? []).median
  for (const [{ name }, measured] of times) {
    const spread = spreadOf(measured)
    const ratio = name.startsWith('headsup check')
      ? `, ${(spread.median / base).toFixed(2)}× a check without merges`
      : ''
    console.log(`${name}: ${shown(spread, 0)} ms of processor time${ratio}`)
  }
}

function textOf(changed: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 100 }, (_, line) => `${changed[line] ?? `line ${line}`}\n`).join('')
}

/**
 * A bare repository with 20 pull requests, each of which changes one file, and a clone that changes another line of all of these
 * files.
 */
function makeRepositories(): string {
  const [bare, top] = [join(directory, 'remote/acme/shop.git'), join(directory, 'shop')]
  mkdirSync(bare, { recursive: true })
  const env = { ...process.env, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (cwd: string, ...args: string[]) => {
    const by = ['-c', 'user.name=Alice', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
    return execFileSync('git', [...by, ...args], { cwd, env, encoding: 'utf8' }).trim()
  }
  git(bare, 'init', '-q', '--bare', '-b', 'main')
  git(bare, 'config', 'uploadpack.allowFilter', 'true')
  git(directory, 'init', '-q', '-b', 'main', top)
  git(top, 'remote', 'add', 'origin', bare)
  const write = (n: number, changed?: Record<number, string>) => {
    const path = join(top, fileName(n))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, textOf(changed))
  }
  for (let n = 0; n < files; n++) write(n)
  git(top, 'add', '-A')
  git(top, 'commit', '-qm', 'All')
  git(top, 'push', '-q', 'origin', 'HEAD:refs/heads/main')
  for (let n = 0; n < 20; n++) {
    git(top, 'checkout', '-q', '--detach', 'main')
    write(n, { 10: 'theirs' })
    git(top, 'commit', '-qam', 'Theirs')
    heads.push(git(top, 'rev-parse', 'HEAD'))
    git(top, 'push', '-q', 'origin', `HEAD:refs/pull/${n + 1}/head`)
  }
  // The clone has none of their objects.
  git(top, 'checkout', '-q', '-b', 'feat/login', 'main')
  git(top, 'reflog', 'expire', '--expire=now', '--all')
  git(top, 'gc', '-q', '--prune=now')
  git(top, 'update-ref', 'refs/remotes/origin/main', 'main')
  git(top, 'remote', 'set-url', 'origin', 'https://github.com/acme/shop.git')
  git(top, 'config', 'user.name', 'Alice')
  for (let n = 0; n < 20; n++) write(n, { 90: 'mine' })
  return top
}
