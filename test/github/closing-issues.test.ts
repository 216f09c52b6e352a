import { expect, it } from 'vitest'
import { issuesClosedBy } from '../../src/service/observed/closing-issues.ts'

const repository = { owner: 'Acme', name: 'shop' }

function closed(body: string, title = 'Work'): number[] {
  return issuesClosedBy({ title, body }, repository, 'https://github.com')
}

it.each([
  ['Fixes #42', [42]],
  ['closes: #1, resolved #3 and FIXED #2', [1, 2, 3]],
  ['Close acme/SHOP#7', [7]],
  ['resolves https://github.com/acme/shop/issues/8', [8]],
  ['fixes other/shop#9 and https://github.com/other/shop/issues/9', []],
  ['prefixes #4, see #5, fixes #0, fixes #6a', []],
  ['<!-- fixes #1 --> closes #2', [2]],
  ['closes #2 <!-- fixes #1', [2]],
  ['```\nfixes #1\n```\nfixes #2', [2]],
  ['~~~~\nfixes #1\n~~~\nfixes #3\n~~~~\nfixes #2', [2]],
  ['`fixes #1` fixes #2', [2]],
  ['fixes #99999999999', []],
])('§5 the issues of %j are %j', (body, issues) => {
  expect(closed(body)).toEqual(issues)
})

it('§5 the title counts, the first 64 KiB of the body, and at most 20 issues', () => {
  expect(closed('', 'Fix #3')).toEqual([3])
  expect(closed(`${'x'.repeat(65_536)} fixes #1`)).toEqual([])
  expect(closed(Array.from({ length: 30 }, (_, index) => `fixes #${index + 1}`).join('\n'))).toHaveLength(20)
})
