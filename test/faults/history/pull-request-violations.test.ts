import { expect, it } from 'vitest'
import { addPull, addRepository, emptyData } from '../../support/github/build-data.ts'
import { changedFile } from '../../support/github/changed-files.ts'
import { addRun, addSuite } from '../../support/github/check-data.ts'
import { checkRunViolations, observedViolations } from './pull-request-violations.ts'
import { viewOfLists } from './stream-view.ts'

/** Two open pull requests on the same lines of one file, and one on others. */
function scene() {
  const data = emptyData()
  const repository = addRepository(data, 'acme', 'web')
  const open = (head: string, first: number) => {
    const lines = [[first, first + 5]] as const
    return addPull(data, repository, { head, author: head, files: [changedFile({ path: 'a.ts', lines })] })
  }
  const [alice, bob, carol] = [open('alice', 100), open('bob', 100), open('carol', 200)] as const
  const write = ({ headSha }: typeof alice, title: string, conclusion: 'success' | 'neutral') =>
    addRun(data, repository, {
      suite: addSuite(data, repository, headSha),
      name: 'Headsup',
      status: 'completed',
      title,
      conclusion,
    })
  write(alice, 'Same lines as #2 (bob)', 'neutral')
  write(bob, 'Same lines as #1 (alice)', 'neutral')
  write(carol, 'No overlap with work in flight', 'success')
  const shown = repository.pulls.map(({ head, headSha }) => ({
    ...{ id: `act_${head}`, status: 'ready-for-review', covered_by: null, source: 'pull_request' },
    ...{ branch: head, changes: { head_sha: headSha } },
  }))
  const lists = { activities: shown, notables: [], collisions: [{ activity_ids: ['act_bob', 'act_alice'] }] }
  return { repository, alice, bob, carol, write, lists }
}

it('accepts each pull request once, with its collisions and its check run', () => {
  const { repository, lists } = scene()
  expect(observedViolations(repository, viewOfLists(lists))).toEqual([])
  expect(checkRunViolations(repository)).toEqual([])
})

it('finds an old head, a missing pull request, one that has ended, and a missing collision', () => {
  const { repository, alice, carol, lists } = scene()
  alice.headSha = 'pushed'
  carol.state = 'closed'
  const view = viewOfLists({
    ...lists,
    activities: lists.activities.slice(0, 1).concat(lists.activities[2] ?? []),
    collisions: [],
  })
  expect(observedViolations(repository, view)).toEqual([
    expect.stringContaining('#1: is at pushed, and shown at ['),
    expect.stringContaining('#2: is at'),
    '#1 and #2 change the same lines: no collision',
    '#2 and #1 change the same lines: no collision',
    'carol: is not open, and is shown',
  ])
})

it('finds a second check run, a missing one, and one that names no or another pull request', () => {
  const { repository, alice, bob, carol, write } = scene()
  write(carol, 'No overlap with work in flight', 'success')
  bob.headSha = 'pushed'
  expect(checkRunViolations(repository)).toEqual([
    `${carol.headSha}: 2 check runs`,
    '#2: "undefined", #1 on the same lines',
  ])
  const other = scene()
  other.bob.state = 'closed'
  expect(checkRunViolations(other.repository)).toEqual(['#1: "Same lines as #2 (bob)", none on the same lines'])
  expect(alice.state).toBe('open')
})
