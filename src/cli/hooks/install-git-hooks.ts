import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { exitCodes, Failure, unavailable } from '../failure.ts'
import { type Git, gitIn } from '../git/git.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'
import {
  type GitHook,
  gitHooks,
  isOwnScript,
  isShellScript,
  ownScript,
  replacedSuffix,
  withBlock,
  withoutBlock,
} from './git-hook-script.ts'
import { type ConfiguredManager, callsOurs, findHookManager, isHuskyInactive, isManaged } from './hook-managers.ts'
import type { Program } from './program.ts'
import type { Uninstalled } from './uninstalled.ts'

interface HookDirectory {
  path: string
  /** Scripts of husky need neither a `#!` line nor permission to run. */
  isHusky: boolean
  /** Not where git calls husky. */
  managed: ConfiguredManager | undefined
  top: string
  git: Git
}

/** Where git looks for hooks. husky sets `core.hooksPath` to `.husky/_`, which it overwrites; its scripts are in `.husky`. */
async function hookDirectory(terminal: Terminal): Promise<HookDirectory> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) throw unavailable(`${located.refusal}.`)
  const git = gitIn(located, terminal)
  const { code, stdout } = await git('rev-parse', '--git-path', 'hooks')
  if (code !== 0) throw unavailable('git fails in this directory: run `git status` to see why.')
  const path = resolve(located.top, stdout.replace(/\n$/, ''))
  const isHusky = basename(path) === '_' && existsSync(join(path, 'h'))
  const { top } = located
  return {
    path: isHusky ? dirname(path) : path,
    isHusky,
    managed: isHusky ? undefined : findHookManager(top),
    top,
    git,
  }
}

interface Installed {
  /** A line for each hook, and what the user has to do. */
  lines: string[]
  /** What to add to the configuration of a manager: not to be changed in the output. */
  toCopy: string[]
}

/** Installs our git hooks beside existing ones, where they survive. */
export async function installGitHooks(terminal: Terminal, program: Program): Promise<Installed> {
  const { path, isHusky, managed, top } = await hookDirectory(terminal)
  if (isHuskyInactive(top, path)) return { lines: [`husky is not set up in this clone: ${huskySetup}`], toCopy: [] }
  const isTheirs = (name: GitHook) => managed !== undefined && isManaged(managed, name, scriptOf(join(path, name)))
  const lines = installInto(
    { path, isHusky },
    gitHooks.filter((name) => !isTheirs(name)),
    program,
  )
  if (!managed) return { lines, toCopy: [] }
  const { manager, file } = managed
  const isCalled = (name: GitHook) => callsOurs(managed, name) || hasOurs(join(path, `${name}.legacy`))
  const theirs = gitHooks.filter(isTheirs)
  const missing = theirs.filter((name) => !isCalled(name))
  lines.push(...theirs.filter(isCalled).map((name) => `${name}: already installed, by ${manager.name}.`))
  if (missing.length > 0) {
    lines.push(
      `${missing.join(', ')}: not installed, since ${manager.name} writes these hooks. Add this to ${file}, then run \`${manager.install}\`:`,
    )
    if (!program.isOnPath) lines.push('(It needs `headsup` on the PATH.)')
  }
  return { lines, toCopy: missing.flatMap((name) => manager.lines(name)) }
}

const huskySetup = 'run `npx husky`, then `headsup hook install git` again.'

function installInto(
  { path, isHusky }: Pick<HookDirectory, 'path' | 'isHusky'>,
  names: readonly GitHook[],
  program: Program,
): string[] {
  mkdirSync(path, { recursive: true })
  return names.map((name) => {
    const file = join(path, name)
    if (!exists(file)) {
      writeFileSync(file, isHusky ? withBlock('', name, program) : ownScript(name, program), { mode: 0o755 })
      return `${file}: installed.`
    }
    const stat = lstatSync(file)
    const script = stat.isFile() ? readFileSync(file, 'utf8') : ''
    const takesBlock = isHusky || (stat.isFile() && isShellScript(script) && (stat.mode & 0o111) !== 0)
    if (takesBlock) {
      const after = withBlock(script, name, program)
      if (after === script) return `${file}: already installed.`
      writeFileSync(file, after)
      return `${file}: installed, before the existing script.`
    }
    if (exists(file + replacedSuffix))
      throw new Failure(exitCodes.refused, `${file}${replacedSuffix} exists already: move it away.`)
    renameSync(file, file + replacedSuffix)
    writeFileSync(file, ownScript(name, program), { mode: 0o755 })
    return `${file}: installed; the existing hook is now ${name}${replacedSuffix}, and runs after it.`
  })
}

export interface GitHookState {
  name: GitHook
  /** Whether git runs our hook, by itself or by a manager. */
  runs: boolean
  /** What to do about it, where our hook is lost or will be. */
  problem?: string
  /** Whether our hook was installed here, and git does not run it. */
  isLost?: boolean
}

/** What git would really run here, for each of our hooks. */
export async function readGitHooks(terminal: Terminal): Promise<GitHookState[]> {
  const directory = await hookDirectory(terminal)
  return gitHooks.map((name) => ({ name, ...stateOf(name, directory) }))
}

function stateOf(name: GitHook, { path, isHusky, managed, top }: HookDirectory): Omit<GitHookState, 'name'> {
  const file = join(path, name)
  const script = scriptOf(file)
  const isRun = isHusky || (exists(file) && (lstatSync(file).mode & 0o111) !== 0)
  const again = '`headsup hook install git` says what to do.'
  if (isHuskyInactive(top, path))
    return { runs: hasOurs(file) && isRun, problem: `husky is not set up in this clone: ${huskySetup}` }
  const { manager } = managed ?? {}
  if (hasOurs(file) || script.includes(`headsup hook git ${name}`)) {
    if (!isRun) return { runs: false, isLost: true, problem: `git ignores ${file}: run \`chmod +x\` on it.` }
    if (hasOurs(file) && managed && isManaged(managed, name, script))
      return { runs: true, problem: `the next \`${manager?.install}\` takes our ${name} hook away: ${again}` }
    return { runs: true }
  }
  const isTheirs = isRun && manager?.wrote.test(script) === true
  if (managed && callsOurs(managed, name)) {
    if (isTheirs) return { runs: true }
    const problem = `${managed.file} calls our ${name} hook, and git does not: run \`${manager?.install}\`.`
    return { runs: false, problem }
  }
  if (isTheirs && manager?.name === 'pre-commit' && hasOurs(`${file}.legacy`)) return { runs: true }
  const aside = asideSuffixes.map((suffix) => file + suffix).find(hasOurs)
  if (aside) return { runs: false, isLost: true, problem: `our ${name} hook was put aside as ${aside}: ${again}` }
  if (managed && isManaged(managed, name, script))
    return { runs: false, problem: `${manager?.name} runs no ${name} hook of ours: ${again}` }
  return { runs: false }
}

/** What lefthook and pre-commit append to the name of a hook that was there before theirs. */
const asideSuffixes = ['.old', '.legacy']

function hasOurs(file: string): boolean {
  const script = scriptOf(file)
  return withoutBlock(script) !== script
}

/** Uninstalls our git hooks. `notes` says what the user has to do. */
export async function uninstallGitHooks(terminal: Terminal): Promise<{ files: Uninstalled[]; notes: string[] }> {
  const { path, git } = await hookDirectory(terminal)
  const hadOurs = hasOurs(join(path, 'pre-push'))
  const files = uninstallFrom(path)
  if (!hadOurs || exists(join(path, 'pre-push'))) return { files, notes: [] }
  // Our hooks called it, and kept it from installing its own.
  const { code } = await git('config', '--get-regexp', '^filter[.]lfs[.]')
  const notes = ['Git LFS is set up: run `git lfs install` before you push, where you use it here.']
  return { files, notes: code === 0 ? notes : [] }
}

function uninstallFrom(path: string): Uninstalled[] {
  const aside = gitHooks.flatMap((name) => asideSuffixes.map((suffix) => name + suffix))
  return [...gitHooks, ...aside.filter((name) => hasOurs(join(path, name)))].map((name) => {
    const file = join(path, name)
    const script = scriptOf(file)
    const after = withoutBlock(script)
    if (after === script) return { file, isChanged: false }
    if (isOwnScript(script)) {
      rmSync(file)
      if (exists(file + replacedSuffix)) renameSync(file + replacedSuffix, file)
    } else if (after.trim() === '') rmSync(file)
    else writeFileSync(file, after)
    return { file, isChanged: true }
  })
}

function scriptOf(file: string): string {
  return exists(file) && lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''
}

/** A broken link exists too. */
function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}
