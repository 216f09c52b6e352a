import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Overlap } from '../../src/core/schemas/overlap.ts'
import { startClones } from '../support/clones.ts'
import { type Clone, jsonOf } from '../support/command-line.ts'
import { connectModel } from '../support/mcp.ts'
import { changedFile, insertPullRequest } from '../support/observed.ts'
import type { TestRepository, TestService } from '../support/service.ts'

let service: TestService
let repository: TestRepository
let alice: Clone
/** The pull requests of others, by what they change: a file that alice changes, and one that she renames. */
let others: Record<'login' | 'old', string>

const newStage = startClones()

/** Makes the clone and the pull requests anew. A check changes neither. */
async function prepare(): Promise<void> {
  const stage = newStage()
  ;({ service, repository } = stage)
  alice = stage.clone('Alice')
  for (const file of ['src/auth/login.ts', 'src/free.ts', 'lib/old.ts', 'docs/a.md']) alice.write(file, lines())
  alice.commit()
  alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
  alice.git('checkout', '-q', '-b', 'feat/login')
  alice.write('src/auth/login.ts', lines(20))
  alice.git('mv', 'lib/old.ts', 'lib/new.ts')
  alice.write('lib/new.ts', lines(20))
  const pullRequest = (number: number, actor: string, path: string) =>
    insertPullRequest(service.db, repository, service.clock.now(), {
      files: [changedFile(path, { lines: [[20, 20]] })],
      pull: { number, head_ref: actor },
      activity: { actor, author_login: actor },
    })
  others = {
    login: (await pullRequest(12, 'bob', 'src/auth/login.ts')).id,
    old: (await pullRequest(13, 'carla', 'lib/old.ts')).id,
  }
}

/** A text of 40 lines, of which some are changed. */
function lines(...changed: number[]): string {
  return Array.from({ length: 40 }, (_, n) => `${changed.includes(n + 1) ? 'LINE' : 'line'} ${n + 1}\n`).join('')
}

const json = (args: string[], cwd = '.') => jsonOf({ headsup: (all) => alice.headsup(all, { cwd }) }, ...args)

const severe = (...found: (keyof typeof others)[]) => ({
  severity: 'high',
  related_activity_ids: found.map((name) => others[name]),
})
const nothing = { overlap_detected: false, severity: null, related_activity_ids: [], nearby_count: 0 }

/** What is named, from which directory, and what has to be found. */
const cases: [string, string[], string, (keyof typeof others)[]][] = [
  ['nothing', [], '.', ['old', 'login']],
  ['the changed file', ['src/auth/login.ts'], '.', ['login']],
  ['the changed file and a free one', ['src/free.ts', 'src/auth/login.ts'], '.', ['login']],
  ['its directory', ['src/auth'], '.', ['login']],
  ['a glob', ['src/*/log*.ts'], '.', ['login']],
  ['the whole repository', ['.'], '.', ['old', 'login']],
  ['the top', ['/'], 'src', ['old', 'login']],
  ['the current directory', ['.'], 'src', ['login']],
  ['a path from the current directory', ['auth/login.ts'], 'src', ['login']],
  ['the directory above', ['..'], 'src', ['old', 'login']],
  ['another directory', ['../lib'], 'src', ['old']],
  ['a renamed file by its new name', ['lib/new.ts'], '.', ['old']],
  ['a renamed file by its old name', ['lib/old.ts'], '.', ['old']],
  ['a free file', ['src/free.ts'], '.', []],
  ['a free directory', ['docs'], '.', []],
  ['a free file and the changed files', ['src/free.ts', '--changed'], '.', ['old', 'login']],
]

describe.each([
  ['without recorded work', async () => {}],
  ['with recorded work', async () => void (await json(['start']))],
  ['with recorded work elsewhere', async () => void (await json(['start', 'docs']))],
])('headsup check %s', (_, record) => {
  beforeAll(async () => {
    await prepare()
    await record()
  })

  it.each(cases)('compares the changed lines below what is named: %s', async (__, named, cwd, found) => {
    const [overlap, { out }] = await Promise.all([
      json(['check', ...named], cwd),
      alice.headsup(['check', ...named], { cwd }),
    ])
    expect(overlap).toMatchObject(found.length > 0 ? severe(...found) : nothing)
    expect(overlap).not.toHaveProperty('missing_paths')
    if (found.length > 0) {
      expect(out).toMatch(/^Overlap, high severity\./m)
      expect(out).not.toMatch(/go ahead/i)
    } else expect(out).toMatch(/^No overlap\..*go ahead/ims)
  })
})

describe('headsup check', () => {
  beforeEach(prepare)

  it('names only the files that are named, by the lines that are changed in them', async () => {
    const { collisions } = await json(['check', 'src/auth'])
    expect(collisions).toMatchObject([{ example_path: 'src/auth/login.ts', lines: [[20, 20]] }])
    expect((await json(['check', 'lib/old.ts'])).collisions).toMatchObject([{ example_path: 'lib/old.ts' }])
  })

  it('says that a file that was renamed or removed in a commit is there, since it is changed here', async () => {
    alice.git('rm', '-q', 'docs/a.md')
    alice.commit()
    for (const path of ['lib/old.ts', 'docs/a.md', 'docs'])
      expect(await json(['check', path])).not.toHaveProperty('missing_paths')
    expect(await json(['check', 'docs/b.md'])).toMatchObject({ missing_paths: ['docs/b.md is not a file here.'] })
  })

  it('without paths finds what the pull request of the branch changes elsewhere', async () => {
    const files = [changedFile('docs/a.md', { lines: [[20, 20]] })]
    const pull = (number: number, head_ref: string) =>
      insertPullRequest(service.db, repository, service.clock.now(), {
        files,
        pull: { number, head_ref },
        activity: { branch: head_ref },
      })
    await pull(20, 'feat/login')
    await json(['start'])
    const { id } = await pull(21, 'docs')
    expect((await json(['check'])).related_activity_ids).toContain(id)
    expect((await json(['check', 'docs'])).related_activity_ids).toEqual([id])
    expect((await json(['check', 'src/auth/login.ts'])).related_activity_ids).toEqual([others.login])
  })
})

describe('headsup check beside recorded work of a colleague in the same file', () => {
  beforeEach(prepare)

  const path = 'src/auth/login.ts'
  const record = (files: object[], paths: string[]) =>
    repository.created('/activity', {
      ...{ title: 'Sessions', summary: 'Sessions.', actor: 'Dora', branch: 'feat/dora', base_branch: 'main' },
      scope: { paths },
      changes: { files },
    })
  const same = { path, status: 'modified', lines: [[20, 21]] }
  const far = { path, status: 'modified', lines: [[36, 37]] }

  const starts = [
    ['before headsup start', async () => {}],
    ['after headsup start', async () => void (await json(['start']))],
  ] as const
  const records = [
    ['on the same lines', [same], [], 'high'],
    ['on the same lines, named in its scope too, as older clients do', [same], [path], 'high'],
    ['on other lines', [far], [], null],
    ['on other lines, named in its scope too', [far], [path], null],
  ] as const

  for (const [when, start] of starts)
    it.each(records)(`says the same whatever is named, ${when}: %s`, async (_, files, paths, severity) => {
      const { activity } = await record([...files], [...paths])
      await start()
      for (const named of [[], [path], ['src'], ['.']]) {
        const overlap = await json(['check', ...named])
        const found = [...overlap.related_activity_ids, ...overlap.nearby_activity_ids]
        expect(found).toContain(activity.id)
        const ofColleague = overlap.collisions.find((item: Overlap['collisions'][number]) => item.actor === 'Dora')
        expect(ofColleague?.severity ?? null).toBe(severity)
      }
      const free = await json(['check', 'src/free.ts'])
      expect(free).toMatchObject({ overlap_detected: false, severity: null, nearby_count: 0 })
    })
})

describe('check_overlap by path', () => {
  let recorded: string
  beforeAll(async () => {
    await prepare()
    recorded = (await json(['start'])).activity.id
  })

  it.each([
    ['the changed file', ['src/auth/login.ts'], ['login']],
    ['its directory', ['src/auth/**'], ['login']],
    ['everything', ['**'], ['old', 'login']],
    ['a renamed file by its old name', ['lib/old.ts'], ['old']],
    ['a renamed file by its new name', ['lib/new.ts'], ['old']],
    ['a free file', ['src/free.ts'], []],
  ] as const)('compares the lines that the recorded work changes there: %s', async (_, paths, found) => {
    const model = await connectModel(service.url, repository.writer)
    const inRepository = { repository: `${repository.owner}/${repository.name}` }
    const sent = { ...inRepository, activity_id: recorded, scope: { paths } }
    const overlap = await model.done<Overlap>('check_overlap', sent)
    expect(overlap).toMatchObject(found.length > 0 ? severe(...found) : nothing)
    await model.close()
  })
})
