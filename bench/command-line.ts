import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shown, spreadOf } from './measure.ts'
import { processorTime, type Subject, timesByTurns } from './processor-time.ts'
import { fileName, startStandIn } from './stand-in.ts'

/**
 * Measures the processor time of commands with all git processes that they start, and of a bare start of Node, by turns.
 * `node .bench/bench/command-line.js FILE…` compares built command lines, by default `dist/headsup.mjs`.
 */
const programs = process.argv.length > 2 ? process.argv.slice(2) : ['dist/headsup.mjs']
const rounds = 9
const runsOfRound = 8
const changedFiles = 20
const files = 2_000

const { directory, origin, stop } = await startStandIn(answerTo)
try {
  await measure()
} finally {
  stop()
}

/** What the command line needs of the service's responses. */
function answerTo(path: string): object {
  if (path === '/api/v1') return { name: 'headsup', github_server_url: 'https://github.com' }
  const activity = { id: 'act_1', title: 'Work', actor: 'Alice', status: 'active', scope: { areas: [], paths: [] } }
  const overlap = { overlap_detected: false, severity: null, reason: 'None.', recommended_action: 'Go ahead.' }
  if (path.endsWith('/check')) return overlap
  return { ...activity, items: [], activity, overlap }
}

async function measure() {
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GITHUB_TOKEN: 'ghp_x',
    HEADSUP_URL: origin,
    HEADSUP_HOOK_LIMIT_MS: '20000',
  }
  const top = makeRepository()
  const hook = (event: string, more: object = {}) =>
    JSON.stringify({ session_id: 's1', cwd: top, hook_event_name: event, ...more })
  let edits = 0
  // Another one each time, of a file that the branch has changed: the same one would be sent once.
  const edit = () => {
    const [file_path, old_string] = [join(top, fileName(edits % changedFiles)), `line ${edits++ % 90}\n`]
    return hook('PreToolUse', { tool_name: 'Edit', tool_input: { file_path, old_string, new_string: 'new\n' } })
  }
  /** A hook after a command, just after a heartbeat, and so long after the last recorded edit, in ms. */
  const afterCommand = (recorded: number) => () => {
    const file = join(top, '.git/headsup/hooks.json')
    const now = Date.now()
    const state = {
      ...JSON.parse(readFileSync(file, 'utf8')),
      lastHeartbeat: now,
      recordedAt: now - recorded,
    }
    writeFileSync(file, JSON.stringify(state))
    return hook('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'true' } })
  }
  const bare: Subject = { name: 'node', command: [process.execPath, '-e', '0'], input: () => '' }
  const subjects = programs.flatMap((program): Subject[] => {
    const start = [process.execPath, resolve(program)]
    const name = programs.length > 1 ? ` (${program})` : ''
    return [
      { name: `headsup check${name}`, command: [...start, 'check'], input: () => '' },
      { name: `a hook before an edit${name}`, command: [...start, 'hook', 'claude'], input: edit },
      ...[
        { when: 'in the minute after a recorded edit', input: afterCommand(0) },
        { when: 'with nothing to ask', input: afterCommand(60_000) },
      ].map(({ when, input }) => {
        return { name: `a hook after a command, ${when}${name}`, command: [...start, 'hook', 'claude'], input }
      }),
    ]
  })
  const run = (subject: Subject) => processorTime(subject, runsOfRound, { cwd: top, env, directory })
  const [program = ''] = programs
  const start = { name: '', command: [process.execPath, resolve(program), 'hook', 'claude'] }
  await run({ ...start, input: () => hook('SessionStart', { source: 'startup' }) })
  const times = await timesByTurns([bare, ...subjects], rounds, run)
  const base = spreadOf(times.get(bare) ?? []).median
  for (const [subject, measured] of times) {
    const spread = spreadOf(measured)
    const more = `${(spread.median / base).toFixed(2)}× node, ${(spread.median - base).toFixed(0)} ms more`
    console.log(`${subject.name}: ${shown(spread, 0)} ms of processor time, ${more}`)
  }
}

/** A work tree of 2,000 files, on a branch that changes 20 of them in commits and in the work tree. */
function makeRepository(): string {
  const top = join(directory, 'shop')
  const write = (n: number, changed: readonly number[] = []) => {
    mkdirSync(join(top, `src/room-${n % 40}`), { recursive: true })
    const lines = Array.from({ length: 100 }, (_, line) => `${changed.includes(line) ? 'LINE' : 'line'} ${line}\n`)
    writeFileSync(join(top, fileName(n)), lines.join(''))
  }
  mkdirSync(top)
  const by = ['-c', 'user.name=Alice', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]) =>
    execFileSync('git', [...by, ...args], { cwd: top, env: { ...process.env, HOME: directory } })
  git('init', '-q', '-b', 'main')
  for (let n = 0; n < files; n++) write(n)
  git('add', '-A')
  git('commit', '-qm', 'All')
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  git('config', 'user.name', 'Alice')
  git('checkout', '-qb', 'feat/login')
  for (let n = 0; n < changedFiles; n++) write(n, [95])
  git('commit', '-qam', 'Change')
  for (let n = 0; n < changedFiles; n += 2) write(n, [95, 98])
  return top
}
