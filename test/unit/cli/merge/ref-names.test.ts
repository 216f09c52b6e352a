import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBranchName, isCommitId } from '../../../../src/cli/merge/git/ref-names.ts'
import { git } from '../../changes/git.ts'

/** Pieces of names that git's rules are about. */
const piece = fc.constantFrom(
  ...[
    'a',
    'é',
    '/',
    '.',
    '..',
    '.lock',
    'lock',
    '@',
    '@{',
    '{',
    '~',
    '^',
    ':',
    '?',
    '*',
    '[',
    ']',
    '\\',
    ' ',
    '-',
    '\n',
  ],
  ...['\u007f', '//', 'x.lock/y', '/.', 'feat', '+', '!', '"', "'", '$', '`', '#', '%'],
)

describe('the name of a branch', () => {
  it('is valid exactly where git says so', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const name = pieces.join('')
        const { code } = git('/', 'check-ref-format', `refs/heads/${name}`)
        expect([name, isBranchName(name)]).toEqual([name, code === 0])
      }),
      { numRuns: 120 },
    )
  })

  it('is never one with a control character or half a character, which no argument of a program can be', () => {
    expect(['a\0b', 'a\u0001', 'a\ud800', ''].map(isBranchName)).toEqual([false, false, false, false])
  })
})

it('the id of a commit has 40 or 64 digits', () => {
  const ids = ['a'.repeat(40), '0'.repeat(64), 'a'.repeat(41), 'A'.repeat(40), `${'a'.repeat(40)}\n`, '--upload-pack=x']
  expect(ids.map(isCommitId)).toEqual([true, true, false, false, false, false])
})
