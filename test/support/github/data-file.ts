import { z } from 'zod'
import { commands } from './commands.ts'
import type { Github } from './start.ts'

const Inputs = z.array(z.record(z.string(), z.unknown())).default([])

/** The initial data. Each entry is the input of the control command with that name. */
const DataFile = z.strictObject({
  repositories: Inputs,
  forks: Inputs,
  tokens: Inputs,
  installations: Inputs,
  pushes: Inputs,
  pull_requests: Inputs,
})

const commandOf = {
  repositories: 'add-repository',
  forks: 'fork-repository',
  tokens: 'add-token',
  installations: 'install',
  pushes: 'push',
  pull_requests: 'open-pull-request',
} as const

/** Runs the commands of the JSON in the order above. Throws for invalid JSON, and names the entry. */
export async function readDataFile(github: Github, json: string): Promise<void> {
  const file = DataFile.parse(JSON.parse(json))
  for (const [part, name] of Object.entries(commandOf) as [keyof typeof commandOf, string][]) {
    for (const [index, input] of file[part].entries()) {
      try {
        await commands[name]?.run(github, input)
      } catch (cause) {
        throw new Error(`${part}[${index}] of the data file: ${cause instanceof Error ? cause.message : cause}`, {
          cause,
        })
      }
    }
  }
}
