import { spawn } from 'node:child_process'
import type { Args } from '../../args.ts'
import { numberField, textField } from '../../client/json.ts'
import type { Terminal } from '../../terminal.ts'
import { hashOf, type KeptPlace, readKept, saveKept } from './kept-files.ts'

interface Asking {
  terminal: Pick<Terminal, 'env' | 'now' | 'platform' | 'program'>
  args: Args
  place: KeptPlace
  /** Of the work tree. */
  top: string
}

const leastMs = 5 * 60_000
/** The target branch moves without anybody saying so. */
const mostMs = 3_600_000

/** Whether the heads of others are to be fetched: at most once in five minutes, and where what they depend on has changed. */
export function isFetchDue(last: { at: number; key: string } | undefined, key: string, now: number): boolean {
  if (!last || now < last.at) return true
  const age = now - last.at
  return age >= mostMs || (age >= leastMs && last.key !== key)
}

/** Starts a check in a process of its own, which keeps the files of others for later hooks. Nobody waits for it. */
export function fetchInBackground({ terminal, args, place, top }: Asking, moving: unknown): void {
  if (terminal.platform === 'win32') return
  const [key, now] = [hashOf(JSON.stringify(moving)), terminal.now()]
  const saved = readKept(place, 'asked.json')
  const [at, before] = [numberField(saved, 'at'), textField(saved, 'key')]
  if (!isFetchDue(at === undefined || before === undefined ? undefined : { at, key: before }, key, now)) return
  saveKept(place, 'asked.json', { at: now, key })
  const [node = '', program = ''] = terminal.program
  const given = ['url', 'repo'].flatMap((name) => {
    const value = args.text(name)
    return value === undefined ? [] : [`--${name}`, value]
  })
  const options = { cwd: top, env: terminal.env, stdio: 'ignore', detached: true } as const
  const child = spawn(node, [program, 'check', '--json', ...given], options)
  // Without it, hooks go by lines.
  child.on('error', () => {})
  child.unref()
}
