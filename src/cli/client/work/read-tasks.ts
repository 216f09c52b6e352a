import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { quoted } from '../../../core/texts/quote.ts'
import { usageError } from '../../failure.ts'
import { plain } from '../../output/plain-text.ts'
import type { Terminal } from '../../terminal.ts'
import { asRecord, type Json, parseJson, recordList, textField } from '../json.ts'

/** Some more than the service takes. */
const mostBytes = 2_000_000

export interface Tasks {
  /** The body of the request. */
  body: Json
  /** What each task is called: its place, as the service names it, and its title or branch. */
  names: string[]
}

/**
 * Reads tasks from a file, or from stdin for `-`: JSON, a list of proposals or `{"proposals": [...]}`. Throws a usage error that
 * names the file. The service says what is wrong with a proposal.
 */
export async function readTasks(terminal: Terminal, file: string): Promise<Tasks> {
  const json = parseJson(file === '-' ? await terminal.readInput() : readFile(terminal, file))
  const body = Array.isArray(json) ? { proposals: json } : asRecord(json)
  if (!Array.isArray(body.proposals))
    throw usageError(
      `--tasks ${plain(file)}: this is no list of tasks in JSON, such as [{"title": "Login", "scope": {"paths": ["src/auth"]}}, …].`,
    )
  const names = recordList(body, 'proposals').map((task, index) => {
    const name = textField(task, 'title') ?? textField(task, 'branch')
    return name === undefined ? `proposals[${index}]` : `proposals[${index}] ${quoted(name)}`
  })
  return { body, names }
}

function readFile({ cwd }: Terminal, file: string): string {
  try {
    const bytes = readFileSync(resolve(cwd, file))
    if (bytes.length > mostBytes) throw usageError(`--tasks ${plain(file)}: this file is larger than 2 MB.`)
    return bytes.toString('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw usageError(`--tasks ${plain(file)}: this file can not be read (${String(error.code)}).`)
    throw error
  }
}
