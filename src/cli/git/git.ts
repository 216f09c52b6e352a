import { execFile } from 'node:child_process'
import { couldNotAsk } from '../failure.ts'

export interface GitOutput {
  /** 0 where it went well. */
  code: number
  stdout: string
  stderr: string
}

export type Git = (...args: string[]) => Promise<GitOutput>

/** Runs git below a directory. Fails with `notAsked` where there is no git, or where the time is over. */
export function gitIn(cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Git {
  const options = {
    cwd,
    signal,
    maxBuffer: 256 * 1024 * 1024,
    // English messages, no lock on the index for a look, no questions.
    env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
  }
  return (...args) =>
    new Promise((resolve, reject) => {
      execFile('git', args, options, (error, stdout, stderr) => {
        if (!error) return resolve({ code: 0, stdout, stderr })
        if (typeof error.code === 'number') return resolve({ code: error.code, stdout, stderr })
        reject(couldNotAsk(signal.aborted ? 'git did not answer in time.' : 'git could not be run: is it on the PATH?'))
      })
    })
}

/** The entries of an output with `-z`. */
export function entries(output: string): string[] {
  const parts = output.split('\0')
  if (parts.at(-1) === '') parts.pop()
  return parts
}
