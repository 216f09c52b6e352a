/**
 * What the command line costs in a clone: `npm run bench:merges`. Medians of CPU time in ms, of Node and of git with its children, and
 * how many git processes we start. Half of the open pull requests change the lines that the clone changes.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addPull, addRepository, modified } from '../test/support/github-server/data.ts'
import { startGithubServer } from '../test/support/github-server.ts'
import { median, startSubject } from './subject.ts'

const here = fileURLToPath(new URL('../..', import.meta.url))
const rounds = 9
const files = 2_000

const directory = mkdtempSync(join(tmpdir(), 'headsup-bench-'))
const github = await startGithubServer({ git: join(directory, 'git') })
github.data.tokens.set('ghp_bench', 'ana')
const service = await startSubject('service', here, github.url)
const gitLog = join(directory, 'git.log')
const env = {
  ...{ HOME: directory, HEADSUP_URL: service.url, HEADSUP_TOKEN: 'ghp_bench', GIT_CONFIG_NOSYSTEM: '1' },
  PATH: `${countingGit()}:${process.env.PATH}`,
}

/** A `git` that writes a line for each start of it. Git's own children do not go through it. */
function countingGit(): string {
  const folder = join(directory, 'bin')
  mkdirSync(folder)
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho >> '${gitLog}'\nexec ${real} "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return folder
}

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com']
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

function write(top: string, path: string, changedLine: number | null, word: string): void {
  const lines = Array.from({ length: 100 }, (_, n) =>
    n + 1 === changedLine ? `line ${n + 1}, ${word}` : `line ${n + 1}`,
  )
  mkdirSync(dirname(join(top, path)), { recursive: true })
  writeFileSync(join(top, path), `${lines.join('\n')}\n`)
}

const pathOf = (n: number) => `src/${n % 40}/file-${n}.ts`

/** A repository of `files` files with open pull requests, and a clone that changes what half of them change. */
function cloneWith(pulls: number): string {
  const name = `with-${pulls}`
  const remote = join(directory, 'git', 'acme', `${name}.git`)
  const start = join(directory, `${name}.start`)
  mkdirSync(start)
  git(directory, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  for (const setting of ['allowFilter', 'allowAnySHA1InWant']) git(remote, 'config', `uploadpack.${setting}`, 'true')
  git(start, 'init', '--quiet', '--initial-branch=main')
  for (let n = 0; n < files; n++) write(start, pathOf(n), null, '')
  git(start, 'add', '.')
  git(start, 'commit', '--quiet', '--message', 'Begin')
  git(start, 'push', '--quiet', remote, 'HEAD:refs/heads/main')
  const repository = addRepository(github.data, { owner: 'acme', name, roles: { ana: 'write', ben: 'write' } })
  for (let n = 0; n < pulls; n++) {
    git(start, 'checkout', '--quiet', '--detach', 'main')
    const line = n % 2 === 0 ? 50 : 52
    write(start, pathOf(n), line, 'Ben')
    git(start, 'commit', '--quiet', '--all', '--message', 'Work')
    const sha = git(start, 'rev-parse', 'HEAD').trim()
    git(start, 'push', '--quiet', remote, `HEAD:refs/pull/${n + 1}/head`, `HEAD:refs/heads/ben-${n}`)
    const head = { branch: `ben-${n}`, sha }
    const changed = [modified(pathOf(n), [line, line])]
    addPull(repository, {
      number: n + 1,
      title: 'Some work',
      author: 'ben',
      association: 'MEMBER',
      head,
      files: changed,
    })
  }
  const clone = join(directory, name)
  git(directory, 'clone', '--quiet', `file://${remote}`, clone)
  git(clone, 'remote', 'set-url', 'origin', `${github.url}/acme/${name}.git`)
  git(clone, 'switch', '--quiet', '--create', 'mine')
  for (let n = 0; n < Math.max(pulls, 1); n++) write(clone, pathOf(n), 50, 'Ana')
  return clone
}

/** CPU of the children that this process has waited for, with theirs, in ms. */
function ofChildren(): number {
  const text = readFileSync('/proc/self/stat', 'utf8')
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number)
  return (user + system) * 10
}

async function run(cwd: string, args: readonly string[], input: string): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(input)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}`)
}

async function measure(
  name: string,
  cwd: string,
  args: readonly string[],
  inputOf: (round: number) => string = () => '',
) {
  const taken: { cpu: number; wall: number }[] = []
  await run(cwd, args, inputOf(-1))
  writeFileSync(gitLog, '')
  for (let round = 0; round < rounds; round++) {
    const [cpu, wall] = [ofChildren(), performance.now()]
    await run(cwd, args, inputOf(round))
    taken.push({ cpu: ofChildren() - cpu, wall: performance.now() - wall })
  }
  const processes = readFileSync(gitLog, 'utf8').length / rounds
  const [cpu, wall] = [median(taken.map((one) => one.cpu)), median(taken.map((one) => one.wall))]
  console.log(
    `${name.padEnd(44)} ${cpu.toFixed(0).padStart(5)} ms CPU ${wall.toFixed(0).padStart(6)} ms  ${processes} git`,
  )
}

const program = join(here, 'dist/headsup.mjs')
for (const pulls of [0, 2, 10, 20]) {
  const clone = cloneWith(pulls)
  if (pulls === 0) {
    await measure('Node alone', clone, ['-e', ''])
    await measure('hook of a session start', clone, hookArgs(), () => payload(clone, 'SessionStart', 0))
    await measure('hook after a tool, nothing new', clone, hookArgs(), () => payload(clone, 'PostToolUse', 0))
    await measure('hook after an edit', clone, hookArgs(), (round) => {
      write(clone, pathOf(round + 100), 10, `round ${round}`)
      return payload(clone, 'PostToolUse', round + 100)
    })
  }
  await measure(`check, ${pulls} pull requests, --no-merge`, clone, [program, 'check', '--no-merge'])
  await measure(`check, ${pulls} pull requests`, clone, [program, 'check'])
}

function hookArgs(): string[] {
  return [program, 'hook', 'claude', '--url', service.url]
}

function payload(cwd: string, event: string, n: number): string {
  const edit = { tool_name: 'Edit', tool_input: { file_path: join(cwd, pathOf(n)) } }
  return JSON.stringify({
    session_id: 'bench',
    cwd,
    hook_event_name: event,
    ...(event === 'PostToolUse' ? edit : { source: 'startup' }),
  })
}

await service.stop()
await github.stop()
rmSync(directory, { recursive: true, force: true })
