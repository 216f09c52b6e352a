import { describe, expect, it } from 'vitest'
import { readArgs } from '../../../src/cli/args.ts'

describe('arguments', () => {
  const options = {
    title: { type: 'string', short: 't', help: '' },
    tag: { type: 'string', multiple: true, help: '' },
    draft: { type: 'boolean', help: '' },
    'no-draft': { type: 'boolean', help: '' },
  } as const

  it.each([
    ['--titel', ' Did you mean --title?'],
    ['--tags', ' Did you mean --tag?'],
    ['--frob', ''],
  ])('that are misspelled are reported with similar ones: %s', (flag, words) => {
    expect(() => readArgs([flag], options, 'start')).toThrow(
      `Unknown flag ${flag}.${words} \`headsup help start\` lists the flags.`,
    )
  })

  it('may come in any order, and paths may follow --', () => {
    const args = readArgs(['a', '--title', 'x', '--no-draft', '--', '--b'], options, 'start')
    expect([args.positionals, args.text('title'), args.flag('draft')]).toEqual([['a', '--b'], 'x', false])
  })

  it.each([
    [['--frob'], '--frob'],
    [['-x'], '-x'],
    [['--title'], '--title'],
    [['--title', ''], '--title'],
    [['--draft=yes'], '--draft'],
  ])('with an invalid flag are refused, and the flag is named: %j', (argv, flag) => {
    expect(() => readArgs(argv, options, 'start')).toThrow(flag)
  })

  it.each([
    [['--title', 'a', '-t', 'b'], '--title is given twice.'],
    [['--draft', '--no-draft'], '--draft and --no-draft exclude each other.'],
    [['--draft', '--draft'], '--draft is given twice.'],
  ])('that contradict each other are refused: %j', (argv, message) => {
    expect(() => readArgs(argv, options, 'start')).toThrow(message)
  })

  it('may repeat a flag that takes several values', () => {
    expect(readArgs(['--tag', 'a', '--tag', 'b'], options, 'start').texts('tag')).toEqual(['a', 'b'])
  })
})
