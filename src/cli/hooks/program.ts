import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { shellQuoted } from '../shell-quoted.ts'
import type { Terminal } from '../terminal.ts'

/** How installed hooks call Headsup. */
export interface Program {
  /** A shell command that succeeds where the program exists. */
  existsTest: string
  /** The program, quoted for a shell. */
  command: string
  /** Whether the command works for everybody who has `headsup` on their PATH. */
  isOnPath: boolean
}

/** `headsup` where it is on the PATH, so that the hooks can be shared; else this copy of the program. */
export function findProgram({ env, program }: Terminal): Program {
  const isOnPath = (env.PATH ?? '')
    .split(delimiter)
    .some((directory) => directory !== '' && existsSync(join(directory, 'headsup')))
  if (isOnPath) return { existsTest: 'command -v headsup >/dev/null 2>&1', command: 'headsup', isOnPath }
  const [node = '', script = ''] = program.map((path) => shellQuoted(path.replaceAll('\\', '/')))
  return { existsTest: `[ -e ${script} ]`, command: `${node} ${script}`, isOnPath }
}
