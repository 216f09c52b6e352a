import { describe, expect, it } from 'vitest'
import { pushesBranch } from '../../../../src/cli/hooks/hook-git.ts'

const id = 'ce013625030ba8dba906f756967f9e9ca394464a'
const none = '0'.repeat(40)
const update = `refs/heads/b ${id} refs/heads/b ${none}`
const deletion = `(delete) ${none} refs/heads/b ${id}`
const tag = `refs/tags/v1 ${id} refs/tags/v1 ${none}`

describe('a push', () => {
  it.each([
    ['an update', [update]],
    ['a commit without a name', [`HEAD~1 ${id} refs/heads/b ${none}`]],
    ['an update among others', [deletion, tag, update]],
    ['nothing', []],
  ])('updates a branch with %s', (_, lines) => {
    expect(pushesBranch(lines.map((line) => `${line}\n`).join(''))).toBe(true)
  })

  it.each([
    ['a deletion', [deletion]],
    ['a deletion in a repository of longer ids', [`(delete) ${'0'.repeat(64)} refs/heads/b ${id}`]],
    ['tags', [tag, tag]],
  ])('updates no branch with %s', (_, lines) => {
    expect(pushesBranch(lines.map((line) => `${line}\n`).join(''))).toBe(false)
  })
})
