import { z } from 'zod'
import { commands } from './commands.ts'
import type { Github } from './start.ts'

const Inputs = z.array(z.record(z.string(), z.unknown())).default([])

/** What there is at the start: each entry is what the command of that name takes. */
const WorldFile = z.strictObject({
  repositories: Inputs,
  tokens: Inputs,
  installations: Inputs,
  pushes: Inputs,
  pull_requests: Inputs,
})

const commandOf = {
  repositories: 'add-repository',
  tokens: 'add-token',
  installations: 'install',
  pushes: 'push',
  pull_requests: 'open-pull-request',
} as const

/** Makes what the JSON describes, in the order above. Throws where it is not such JSON, naming the entry. */
export async function readWorld(github: Github, json: string): Promise<void> {
  const file = WorldFile.parse(JSON.parse(json))
  for (const [part, name] of Object.entries(commandOf) as [keyof typeof commandOf, string][]) {
    for (const [index, input] of file[part].entries()) {
      try {
        await commands[name]?.run(github, input)
      } catch (cause) {
        throw new Error(`${part}[${index}] of the world: ${cause instanceof Error ? cause.message : cause}`, { cause })
      }
    }
  }
}
