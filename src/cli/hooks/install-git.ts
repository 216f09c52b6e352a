import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { couldNotAsk, exitCodes, Failure } from '../failure.ts'
import { gitIn } from '../git/git.ts'
import { locateWorkTree } from '../git/locate-work-tree.ts'
import type { Terminal } from '../terminal.ts'
import {
  asideSuffix,
  gitHooks,
  isOwnScript,
  isShellScript,
  ownScript,
  type Program,
  withBlock,
  withoutBlock,
} from './git-hook-script.ts'

interface HookDirectory {
  path: string
  /** husky's: the scripts in it need no first line and no permission to run. */
  isHusky: boolean
}

/** Where git looks for hooks, `core.hooksPath` included. husky rewrites the directory it names there, not the one above. */
async function hookDirectory(terminal: Terminal): Promise<HookDirectory> {
  const located = locateWorkTree(terminal)
  if ('refusal' in located) throw couldNotAsk(`${located.refusal}.`)
  const { code, stdout } = await gitIn(located, terminal)('rev-parse', '--git-path', 'hooks')
  if (code !== 0) throw couldNotAsk('git fails here: see what `git status` says.')
  const path = resolve(located.top, stdout.replace(/\n$/, ''))
  const isHusky = basename(path) === '_' && existsSync(join(path, 'h'))
  return { path: isHusky ? dirname(path) : path, isHusky }
}

/** Installs our git hooks beside those that are there. Gives a line for each. */
export async function installGit(terminal: Terminal, program: Program): Promise<string[]> {
  const { path, isHusky } = await hookDirectory(terminal)
  mkdirSync(path, { recursive: true })
  return gitHooks.map((name) => {
    const file = join(path, name)
    if (!isThere(file)) {
      writeFileSync(file, isHusky ? withBlock('', name, program) : ownScript(name, program), { mode: 0o755 })
      return `${file}: installed.`
    }
    const stat = lstatSync(file)
    const script = stat.isFile() ? readFileSync(file, 'utf8') : ''
    const isOpen = isHusky || (stat.isFile() && isShellScript(script) && (stat.mode & 0o111) !== 0)
    if (isOpen) {
      const after = withBlock(script, name, program)
      if (after === script) return `${file}: is installed already.`
      writeFileSync(file, after)
      return `${file}: installed, before what was there.`
    }
    if (isThere(file + asideSuffix)) throw new Failure(exitCodes.refused, `${file}${asideSuffix} is in the way.`)
    renameSync(file, file + asideSuffix)
    writeFileSync(file, ownScript(name, program), { mode: 0o755 })
    return `${file}: installed; what was there runs after it, as ${name}${asideSuffix}.`
  })
}

export async function uninstallGit(terminal: Terminal): Promise<string[]> {
  const { path } = await hookDirectory(terminal)
  return gitHooks.map((name) => {
    const file = join(path, name)
    const script = isThere(file) && lstatSync(file).isFile() ? readFileSync(file, 'utf8') : ''
    const after = withoutBlock(script)
    if (after === script) return `${file}: is not installed.`
    if (isOwnScript(script)) {
      rmSync(file)
      if (isThere(file + asideSuffix)) renameSync(file + asideSuffix, file)
    } else if (after.trim() === '') rmSync(file)
    else writeFileSync(file, after)
    return `${file}: uninstalled.`
  })
}

/** Also a link that leads nowhere is there. */
function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}
