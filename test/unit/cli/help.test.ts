import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../src/cli/args.ts'
import { commands } from '../../../src/cli/commands.ts'
import { helpOf } from '../../../src/cli/help.ts'

const runByPrograms = /^hook (?!install|uninstall)/

/** The words of a line for a shell that uses only spaces and single quotation marks. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
}

describe('the help of a command', () => {
  it.each(Object.keys(commands).filter((name) => !runByPrograms.test(name)))(
    'shows one or two examples with flags and values that it takes: %s',
    async (name) => {
      const { command } = (await commands[name]?.load()) ?? expect.fail()
      const { examples, options, usage } = command
      expect([1, 2]).toContain(examples.length)
      for (const example of examples) {
        expect(example.startsWith(`headsup ${name}`)).toBe(true)
        const args = readArgs(words(example).slice(1 + name.split(' ').length), options, name)
        expect(usage === '' ? args.positionals : []).toEqual([])
        expect(args.positionals.length).toBeGreaterThanOrEqual(usage.startsWith('ID') ? 1 : 0)
        // The help of a flag with few values lists them.
        for (const [flag, { help }] of Object.entries(options)) {
          const listed = /^(?:One of|.*: )(?<list>[a-z-]+(?:, [a-z-]+)+)\b/.exec(help)?.groups?.list?.split(/, /)
          for (const value of listed ? args.texts(flag) : []) expect(listed).toContain(value)
        }
        expect(helpOf(name, command)).toContain(`\nExamples:\n  ${examples.join('\n  ')}`)
      }
    },
  )

  it.each(Object.keys(commands).filter((name) => runByPrograms.test(name)))(
    'shows no example of what only programs run: %s',
    async (name) => {
      const { command } = (await commands[name]?.load()) ?? expect.fail()
      expect(helpOf(name, command)).not.toContain('Example')
    },
  )
})
