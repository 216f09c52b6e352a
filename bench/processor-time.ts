import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellQuoted } from '../src/cli/shell-quoted.ts'

/** A command that is measured. */
export interface Subject {
  name: string
  command: readonly string[]
  /** What it reads on stdin. */
  input: () => string
  env?: NodeJS.ProcessEnv
}

/**
 * In ms for one run, of the process and of those that it waits for. The shell counts in steps of 10 ms, so it runs several times.
 * `directory` is for temporary files.
 */
export async function processorTime(
  { command, input, env: more }: Subject,
  runs: number,
  { directory, ...place }: { cwd: string; env: NodeJS.ProcessEnv; directory: string },
): Promise<number> {
  const options = { ...place, env: { ...place.env, ...more } }
  const output = join(directory, 'times')
  const inputs = Array.from({ length: runs }, (_, n) => {
    const file = join(directory, `input-${n}`)
    writeFileSync(file, input())
    return file
  })
  const commands = inputs.map(
    (file) => `${command.map(shellQuoted).join(' ')} <${shellQuoted(file)} >/dev/null || exit 1`,
  )
  const child = spawn('sh', ['-c', `${commands.join('\n')}\ntimes >${shellQuoted(output)}`], {
    ...options,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command.join(' ')} failed.`)
  // The second line is that of the children: minutes and seconds in user mode and in the kernel.
  const [, children = ''] = readFileSync(output, 'utf8').split('\n')
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  )
  return (seconds.reduce((sum, one) => sum + one, 0) * 1000) / runs
}

/** What `run` gives for each of them in each round. They are measured by turns. */
export async function timesByTurns(
  subjects: readonly Subject[],
  rounds: number,
  run: (subject: Subject) => Promise<number>,
): Promise<Map<Subject, number[]>> {
  const times = new Map(subjects.map((subject) => [subject, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [subject, measured] of times) measured.push(await run(subject))
  }
  return times
}
