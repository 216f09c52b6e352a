import { createInterface } from 'node:readline/promises'

const questions = {
  org: 'Organisation that owns the App (empty: your own account): ',
  url: 'Address at which GitHub reaches this service, such as https://headsup.YOUR-DOMAIN: ',
} as const

export type Question = keyof typeof questions

/** Asks for what the arguments do not say, on a terminal. Returns the arguments with the answers. */
export async function withAnswers(args: readonly string[], missing: readonly Question[]): Promise<string[]> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const added: string[] = []
  try {
    for (const name of missing) {
      const answer = (await terminal.question(questions[name])).trim()
      if (answer !== '') added.push(`--${name}`, answer)
    }
  } finally {
    terminal.close()
  }
  return [...args, ...added]
}
