import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { exitCodes, Failure, unavailable } from '../failure.ts'
import { type Git, gitIn } from '../git/git.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'
import {
  gitHooks,
  isOwnScript,
  isShellScript,
  ownScript,
  replacedSuffix,
  withBlock,
  withoutBlock,
} from './git-hook-script.ts'
import type { Program } from './program.ts'

interface HookDirectory {
  path: string
  /** Scripts of husky need neither a `#!` line nor permission to run. */
  isHusky: boolean
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
  return { path: isHusky ? dirname(path) : path, isHusky, git }
}

/** Installs our git hooks beside existing ones. Returns a line for each. */
export async function installGitHooks(terminal: Terminal, program: Program): Promise<string[]> {
  const { path, isHusky } = await hookDirectory(terminal)
  mkdirSync(path, { recursive: true })
  return gitHooks.map((name) => {
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

/** Our git hooks that are installed, by name. */
export async function installedGitHooks(terminal: Terminal): Promise<string[]> {
  const { path } = await hookDirectory(terminal)
  return gitHooks.filter((name) => {
    const script = scriptOf(join(path, name))
    return withoutBlock(script) !== script
  })
}

/** Uninstalls our git hooks. Returns a line for each, and what the user has to do. */
export async function uninstallGitHooks(terminal: Terminal): Promise<string[]> {
  const { path, git } = await hookDirectory(terminal)
  const hadOurs = (await installedGitHooks(terminal)).includes('pre-push')
  const lines = uninstallFrom(path)
  if (!hadOurs || exists(join(path, 'pre-push'))) return lines
  // Our hooks called it, and kept it from installing its own.
  const { code } = await git('config', '--get-regexp', '^filter[.]lfs[.]')
  return code === 0
    ? [...lines, 'Git LFS is set up: run `git lfs install` before you push, where you use it here.']
    : lines
}

function uninstallFrom(path: string): string[] {
  return gitHooks.map((name) => {
    const file = join(path, name)
    const script = scriptOf(file)
    const after = withoutBlock(script)
    if (after === script) return `${file}: not installed.`
    if (isOwnScript(script)) {
      rmSync(file)
      if (exists(file + replacedSuffix)) renameSync(file + replacedSuffix, file)
    } else if (after.trim() === '') rmSync(file)
    else writeFileSync(file, after)
    return `${file}: uninstalled.`
  })
}

function scriptOf(file: string): string {
  return exists(file) && lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''
}

/** A broken link exists too. */
function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}
