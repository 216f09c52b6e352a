import { describe, expect, it } from 'vitest'
import { prepareClones } from '../support/clones.ts'
import type { Clone } from '../support/command-line.ts'
import type { TestRepository } from '../support/service.ts'

let repository: TestRepository
let alice: Clone

prepareClones((stage) => {
  repository = stage.repository
  alice = stage.clone('Alice')
})

const tasks = [
  { title: 'Login', scope: { paths: ['src/auth/**'] } },
  { branch: 'feat/docs', scope: { paths: ['docs/**'] } },
  { scope: { paths: ['src/auth/login.ts'] } },
]

describe('headsup check --tasks', () => {
  it('prints which tasks collide with one another, which may begin, and what stands in the way of others', async () => {
    alice.write('tasks.json', JSON.stringify(tasks))
    const { code, out } = await alice.headsup(['check', '--tasks', 'tasks.json'])
    expect(code).toBe(0)
    expect(out).toContain('medium: proposals[0] “Login” and proposals[2] collide with one another: src/auth/login.ts')
    expect(out).toContain('May begin: proposals[1] “feat/docs”')
    expect(out).toContain('It collides with proposals[2] of the same request.')
  })

  it('takes them from stdin and with `proposals`, and answers as the API does', async () => {
    await repository.created('/activity', { title: 'T', summary: 'S', actor: 'Bob', scope: { paths: ['docs/a.md'] } })
    const input = JSON.stringify({ proposals: tasks })
    const { out } = await alice.headsup(['check', '--tasks', '-', '--json'], { input })
    expect(JSON.parse(out)).toEqual((await repository.post('/activity/check/batch', { proposals: tasks })).body)
    const { code } = await alice.headsup(['check', '--tasks', '-', '--exit-code'], { input })
    expect(code).toBe(1)
  })

  it('says that no task collides, and ends with 0 with --exit-code', async () => {
    const input = JSON.stringify(tasks.slice(0, 2))
    const { code, out } = await alice.headsup(['check', '--tasks', '-', '--exit-code'], { input })
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^No task collides.*\nMay begin: proposals\[0\] “Login”, proposals\[1\] “feat\/docs”\n$/s,
      ),
    })
  })

  it.each([
    ['a file that is not there', ['--tasks', 'none.json'], '', 2, /--tasks none\.json: .*ENOENT/],
    ['text', ['--tasks', '-'], 'no JSON', 2, /no list of tasks/],
    ['paths beside', ['--tasks', '-', 'src'], '[]', 2, /takes no paths/],
    ['one task', ['--tasks', '-'], '[{}]', 2, /proposals: /],
    ['an unknown field', ['--tasks', '-'], '[{},{"pathz":[]}]', 2, /proposals\[1\]\.pathz/],
  ])('refuses %s', async (_, args, input, code, message) => {
    const result = await alice.headsup(['check', ...args], { input })
    expect(result).toMatchObject({ code, err: expect.stringMatching(message) })
  })
})
