import { beforeEach, describe, expect, it } from 'vitest'
import { prepareClones } from '../support/clones.ts'
import type { Clone } from '../support/command-line.ts'
import type { TestRepository } from '../support/service.ts'

let alice: Clone
let bob: Clone
let repository: TestRepository

prepareClones((stage) => {
  repository = stage.repository
  alice = stage.clone('Alice', { branch: 'feat/42-login' })
  bob = stage.clone('Bob', { branch: 'feat/sessions' })
})
beforeEach(async () => {
  await bob.headsup(['start', 'docs', '--title', 'Sessions', '--issue', '42', '--issue', '7'])
})

describe('work for the same issue, at other paths', () => {
  it('is told by a check on a branch that names the issue, but not with --no-issue', async () => {
    const { out, err } = await alice.headsup(['check', 'src/auth'])
    expect(err).toBe('Note: issue #42, from the branch’s name. --no-issue says otherwise.\n')
    expect(out).toContain('\n“Bob” works on issue #42 too.\nOverlap, medium severity. “Bob” is working on “Sessions”')
    expect(out).toContain('for the same issue #42')
    expect((await alice.headsup(['check', 'src/auth', '--no-issue'])).out).toContain('\nNo overlap.')
  })

  it('is told by start and status, and stands among the collisions and in the list', async () => {
    expect((await alice.headsup(['start', 'src/auth'])).out).toContain('for the same issue #42')
    expect((await alice.headsup(['status'])).out).toContain('“Bob” works on issue #42 too.')
    expect((await alice.headsup(['collisions'])).out).toMatch(/“Alice”, .* and “Bob”, “Sessions”, issue #42\n/)
    const { out } = await alice.headsup(['list', '--issue', '7'])
    expect(out).toContain('\n  issues #7 and #42\n')
    expect(out).not.toContain('Alice')
    expect((await alice.headsup(['list', '--issue', '8'])).out).toBe('No work matches.\n')
  })

  it('is told to an agent when its session starts', async () => {
    const input = JSON.stringify({ session_id: 's1', cwd: alice.path, hook_event_name: 'SessionStart' })
    const { out } = await alice.headsup(['hook', 'claude'], { input })
    expect(out).toContain('“Bob” is working on “Sessions” on branch “feat/sessions” for the same issue #42')
    expect(out).toContain('Only issue #42 was compared: no paths, areas or tags were named.')
  })

  it('is near, in one line, where more than 5 others name it', async () => {
    const one = { title: 'Part', summary: 'Of an epic.', issues: [42] }
    for (let n = 0; n < 6; n++) await repository.created('/activity', { ...one, actor: `member-${n}` })
    const { out } = await alice.headsup(['check', 'src/auth'])
    expect(out).toContain('\n  For the same issue #42, and no overlap: “Part” by “member-5”, “Part” by “member-4”, ')
    expect(out).toContain(' and 4 more.\n')
  })

  it('is told for some days after it was merged', async () => {
    await bob.headsup(['done', '--merged'])
    const { out } = await alice.headsup(['check', 'src/auth'])
    expect(out).toContain(
      'Next: #42 was closed by “Sessions”, merged just now (work of “Bob”): see what is left to do.',
    )
    expect(out).toContain('\nMerged recently: “Sessions” (“feat/sessions”), for the same issue #42\n')
    const input = JSON.stringify({ session_id: 's2', cwd: alice.path, hook_event_name: 'SessionStart' })
    expect((await alice.headsup(['hook', 'claude'], { input })).out).toContain('#42 was closed by “Sessions”')
  })

  it('is told of tasks with one another, and with others', async () => {
    const tasks = [
      { title: 'A', issues: [9], scope: { paths: ['a'] } },
      { title: 'B', issues: [9], scope: { paths: ['b'] } },
      { title: 'C', issues: [42], scope: { paths: ['c'] } },
      { title: 'D', scope: { paths: ['d'] } },
    ]
    const { out } = await alice.headsup(['check', '--tasks', '-'], { input: JSON.stringify(tasks) })
    expect(out).toContain('proposals[0] “A” and proposals[1] “B” collide with one another: issue #9\n')
    expect(out).toContain('\nMay begin: proposals[3] “D”\n')
    const epic = Array.from({ length: 7 }, (_, n) => ({ title: `T${n}`, issues: [5], scope: { paths: [`e${n}`] } }))
    const { out: near } = await alice.headsup(['check', '--tasks', '-'], { input: JSON.stringify(epic) })
    expect(near).toMatch(
      /\nproposals\[0\] “T0”\nNo overlap\. .*\n {2}For the same issue #5, and no overlap: proposals\[1\], /,
    )
    expect(out).toMatch(/proposals\[2\] “C”\nOverlap, medium severity\. “Bob” .* for the same issue #42/)
  })
})
