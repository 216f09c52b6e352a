import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hour, minute, second } from '../../support/clock.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { collectingLog } from './collecting-log.ts'
import { fileOf, githubRepository, settingsOf, withSettings } from './settings.ts'

let service: TestService
let otherInstance: TestService
/** Its GitHub never answers about settings files. */
let hanging: TestService
let askedOfHanging: ReturnType<typeof waitForSettings>
const log = collectingLog()

const good = 'activity_ttl_ms: 120000\n'
const better = 'activity_ttl_ms: 180000\n'
const path = '.github/headsup.yml'

beforeAll(async () => {
  service = await startTestService({ githubApp: true, settings: { notable_ttl_ms: 5_000 }, log })
  service.github.data.app.hookUrl = `${service.url}/api/github/webhooks`
  otherInstance = await startTestService({ githubApp: true, sharedWith: service })
  hanging = await startTestService({ githubApp: true })
  // Other tests run while it waits.
  askedOfHanging = waitForSettings()
})
afterAll(async () => {
  await hanging.stop()
  await otherInstance.stop()
  await service.stop()
})
afterEach(() => service.github.heal())

function warnings(repository: { id: bigint }) {
  return log.lines.filter(({ fields }) => fields.repository_id === String(repository.id) && fields.level === 'warn')
}

/** How many requests for a settings file GitHub got during this work, of all repositories or of the named one. */
async function requestsDuring(work: () => Promise<unknown>, name = ''): Promise<number> {
  const before = service.github.requests.length
  await work()
  return service.github.requests.slice(before).filter((request) => request.includes(`${name}/contents/`)).length
}

async function ttlOf(repository: TestRepository) {
  return (await settingsOf(repository)).settings.activity_ttl_ms
}

async function waitForSettings(): Promise<unknown> {
  const { repository } = withSettings(hanging, good)
  hanging.github.fail(faults.never(), { path: /\/contents\// })
  return ttlOf(repository)
}

describe('settings', () => {
  it('are requested once for concurrent uses', async () => {
    const { repository } = withSettings(service, good)
    const all = () => Promise.all(Array.from({ length: 20 }, () => ttlOf(repository)))
    expect(await requestsDuring(all)).toBe(1)
  })

  it('are revalidated after 10 minutes in the background', async () => {
    const { repository, write } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    write(better)
    service.clock.advance(10 * minute - second)
    expect(await requestsDuring(() => settingsOf(repository), repository.name)).toBe(0)
    service.clock.advance(2 * second)
    expect(await ttlOf(repository)).toBe(120_000)
    await expect.poll(() => ttlOf(repository)).toBe(180_000)
  })

  it('are revalidated with their ETag, which costs nothing of the rate limit', async () => {
    const { repository, installation } = withSettings(service, good)
    await settingsOf(repository)
    const used = () =>
      [...service.github.data.tokens.values()]
        .filter((token) => token.installationId === installation.id)
        .map(({ limit }) => limit.used)
    const before = used()
    await saved(repository)
    service.clock.advance(11 * minute)
    expect(await requestsDuring(() => revalidated(repository))).toBe(1)
    expect(before).toEqual([1])
    expect(used()).toEqual(before)
  })

  it('are revalidated after the token of the installation has expired', async () => {
    const { repository, write } = withSettings(service, good)
    await settingsOf(repository)
    write(better)
    service.clock.advance(2 * hour)
    await settingsOf(repository)
    await expect.poll(() => ttlOf(repository)).toBe(180_000)
  })

  it('are read from the database by another instance', async () => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    expect(await requestsDuring(async () => expect(await ttlOf(otherInstance.as(repository))).toBe(120_000))).toBe(0)
  })

  it('are read from GitHub again if the database has invalid values', async () => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    await service.db.query(
      `update repository_settings set file_values = '{"activity_ttl_ms": "long"}' where repository_id = $1`,
      [repository.id],
    )
    expect(await ttlOf(otherInstance.as(repository))).toBe(120_000)
  })
})

describe('an event', () => {
  it('of a push that changes the file applies immediately', async () => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    await service.github.push(repository, 'main', { [path]: better })
    expect(await ttlOf(repository)).toBe(180_000)
    await service.github.push(repository, 'main', { [path]: null })
    expect((await settingsOf(repository)).file).toBeNull()
  })

  it('of such a push applies on another instance within a minute', async () => {
    const { repository } = withSettings(service, good)
    const there = otherInstance.as(repository)
    await settingsOf(there)
    await saved(repository)
    await service.github.push(repository, 'main', { [path]: better })
    service.clock.advance(61 * second)
    expect(await ttlOf(there)).toBe(180_000)
  })

  it('that arrives while the old file is read is not lost', async () => {
    const { repository } = withSettings(service, good)
    service.github.fail(faults.slow(300), { path: /\/contents\//, times: 1 })
    const old = settingsOf(repository)
    await expect.poll(() => service.github.requests.at(-1)).toContain('/contents/')
    await service.github.push(repository, 'main', { [path]: better })
    await old
    expect(await ttlOf(repository)).toBe(180_000)
    expect(await ttlOf(otherInstance.as(repository))).toBe(180_000)
  })

  it("of a push to the owner's `.github` repository applies to all repositories of the owner", async () => {
    const { repository, owner } = withSettings(service, null)
    const id = fileOf(service, owner, good)
    expect(await ttlOf(repository)).toBe(120_000)
    await saved(repository)
    await service.github.push({ id }, 'main', { [path]: better })
    expect(await ttlOf(repository)).toBe(180_000)
  })

  it('of a deleted installation restores the defaults immediately', async () => {
    const { repository, installation, owner } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    service.github.data.installations.delete(installation.id)
    await service.github.deliver('installation', {
      action: 'deleted',
      installation: { id: installation.id, account: { login: owner } },
    })
    expect((await settingsOf(repository)).file).toBeNull()
  })

  it('of a public repository that is no longer selected restores the defaults immediately', async () => {
    const { repository, installation, owner } = withSettings(service, good)
    githubRepository(service, repository).private = false
    await settingsOf(repository)
    await saved(repository)
    installation.repositories = []
    await service.github.deliver('installation_repositories', {
      action: 'removed',
      installation: { id: installation.id, account: { login: owner } },
    })
    expect((await settingsOf(repository)).file).toBeNull()
  })

  it('of a push to a branch with work does not deadlock if the settings are invalidated already', async () => {
    const { repository } = withSettings(service, good)
    await repository.created('/activity', { title: 'Work', summary: 'It is.', actor: 'Alice', branch: 'main' })
    await saved(repository)
    await service.db.query('update repository_settings set marks = marks + 1 where repository_id = $1', [repository.id])
    service.clock.advance(2 * minute)
    await service.github.push(repository, 'main', { [path]: better })
    expect(service.github.data.deliveries.at(-1)).toMatchObject({ statusCode: 200 })
    expect(await ttlOf(repository)).toBe(180_000)
  })
})

describe('while GitHub fails', () => {
  const contents = { path: /\/contents\// }

  it.each([
    ['for the file: a server error', faults.unicorn(502), contents],
    ['for the file: no connection', faults.reset(), contents],
    ['for the file: nonsense', faults.nonsense(), contents],
    ['for the file: half a response', faults.cutOff(), contents],
    ['for the file: a rate limit', faults.primaryLimit(), contents],
    ['for the file: a secondary limit', faults.secondaryLimit(null), contents],
    ['for the installation', faults.unicorn(503), { path: /\/installation$/ }],
    ['for the App: an unknown key', faults.badCredentials(), { path: /\/installation$/ }],
    ['for a token', faults.unicorn(500), { path: /\/access_tokens$/ }],
  ])('%s: the defaults apply and no request fails', async (_, fault, where) => {
    const { repository } = withSettings(service, good)
    service.github.fail(fault, where)
    expect(await settingsOf(repository)).toMatchObject({
      file: null,
      sources: { activity_ttl_ms: 'default', notable_ttl_ms: 'environment' },
    })
    service.github.heal()
    service.clock.advance(11 * minute)
    await expect.poll(() => ttlOf(repository)).toBe(120_000)
  })

  it('the last valid file stays in force, also on another instance', async () => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    service.github.fail(faults.unicorn(502), contents)
    await service.github.push(repository, 'main', { [path]: better })
    expect(await ttlOf(repository)).toBe(120_000)
    expect(await ttlOf(otherInstance.as(repository))).toBe(120_000)
  })

  it.each([
    ['an IP allow list', faults.ipAllowList()],
    ['a rejected key', faults.badCredentials()],
  ])('for the installation, because of %s, the last valid file stays in force', async (_, fault) => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    service.github.fail(fault, { path: /\/installation$/ })
    service.clock.advance(11 * minute)
    await settingsOf(repository)
    await expect.poll(() => warnings(repository).length).toBe(1)
    expect(await ttlOf(repository)).toBe(120_000)
  })

  it.each([
    ['an IP allow list', faults.ipAllowList()],
    ['a blocked repository', faults.legalReasons()],
    ['a revoked permission for contents', null],
  ])(
    'for the file, because of %s, the last valid file stays in force, and the next request is 10 minutes later',
    async (_, fault) => {
      const { repository, installation } = withSettings(service, good)
      await settingsOf(repository)
      await saved(repository)
      if (fault) service.github.fail(fault, contents)
      else {
        for (const token of service.github.data.tokens.values())
          if (token.installationId === installation.id) token.grants = { metadata: 'read' }
      }
      service.clock.advance(11 * minute)
      await settingsOf(repository)
      await expect.poll(() => warnings(repository).length).toBe(1)
      expect(warnings(repository)).toMatchObject([{ fields: { retry_in_ms: 10 * minute } }])
      expect(await ttlOf(repository)).toBe(120_000)
    },
  )

  it('the next request is half a minute later, in the background', async () => {
    const { repository } = withSettings(service, good)
    service.github.fail(faults.unicorn(502), contents)
    await settingsOf(repository)
    service.clock.advance(29 * second)
    expect(await requestsDuring(() => settingsOf(repository), repository.name)).toBe(0)
    service.clock.advance(2 * second)
    service.github.heal()
    service.github.fail(faults.never(), { ...contents, times: 1 })
    const before = service.github.requests.length
    expect(await ttlOf(repository)).toBe(86_400_000)
    // The second request is still running: a failure would be logged.
    expect(warnings(repository)).toHaveLength(1)
    await expect.poll(() => service.github.requests.slice(before).join()).toContain('/contents/')
  })

  it('a request waits for 5 seconds at most', async () => {
    expect(await askedOfHanging).toBe(86_400_000)
  })

  it('a rejected installation token is replaced', async () => {
    const { repository } = withSettings(service, good)
    service.github.fail(faults.badCredentials(), { ...contents, times: 1 })
    expect(await ttlOf(repository)).toBe(120_000)
  })
})

describe('the log', () => {
  it('has one line for an invalid file, however often it is found', async () => {
    const { repository, write } = withSettings(service, 'activity_ttl: 5\n')
    await settingsOf(repository)
    await saved(repository)
    for (const _ of [1, 2]) {
      service.clock.advance(2 * hour)
      expect(await requestsDuring(() => revalidated(repository))).toBe(1)
    }
    expect(warnings(repository)).toMatchObject([
      { fields: { keys: ['unknown'], sha: expect.stringMatching(/^[0-9a-f]{40}$/) } },
    ])
    write('activity_ttl: 6\n')
    service.clock.advance(11 * minute)
    await revalidated(repository)
    expect(warnings(repository)).toHaveLength(2)
  })

  it('names only known keys of an invalid file, and quotes nothing of it', async () => {
    const { repository } = withSettings(service, 'areas:\n  hidden: 5\nhidden_key: 1\nhidden_too: 2\n')
    await settingsOf(repository)
    await saved(repository)
    const [line] = warnings(repository)
    expect(line?.fields.keys).toEqual(['areas', 'unknown'])
    expect(JSON.stringify(line)).not.toContain('hidden')
  })

  it('says what is wrong with a file, without any text of the file', async () => {
    const problemsOf = async (text: string) => {
      const { repository } = withSettings(service, text)
      await settingsOf(repository)
      await saved(repository)
      return warnings(repository)[0]?.fields.problems
    }
    expect(await problemsOf('activity_ttl_ms: 5\nobserve: hidden\nhidden: 1\nignored_paths: ["{hidden"]\n')).toEqual([
      'activity_ttl_ms: must be at least 60000',
      'observe: must be a list',
      'ignored_paths: is not valid',
      'unknown: is not a known key',
    ])
    expect(await problemsOf('areas: {}\nhidden: {\n')).toEqual(['file: line 3 is not valid YAML'])
    expect(await problemsOf('- hidden\n')).toEqual(['file: has to be a mapping of keys to values'])
    const many = Array.from({ length: 30 }, (_, n) => `hidden_${n}: 1\n`).join('')
    expect(await problemsOf(`${many}enabled: 1\n`)).toEqual([
      'enabled: must be a boolean',
      'unknown: is not a known key',
    ])
  })

  it('says why a request failed, without a token or a key', async () => {
    const { repository } = withSettings(service, good)
    service.github.fail(faults.unicorn(502), { path: /\/contents\// })
    await settingsOf(repository)
    expect(warnings(repository)).toMatchObject([{ fields: { reason: 'status 502' } }])
    expect(JSON.stringify(log.lines)).not.toMatch(/ghs_|eyJ|BEGIN/)
  })
})

describe('without an App', () => {
  it('GitHub gets no request, and nothing is saved', async () => {
    const alone = await startTestService({ sharedWith: service })
    const { repository } = withSettings(service, good)
    expect(await requestsDuring(async () => expect((await settingsOf(alone.as(repository))).file).toBeNull())).toBe(0)
    const { rows } = await service.db.query('select 1 from repository_settings where repository_id = $1', [
      repository.id,
    ])
    expect(rows).toEqual([])
    await alone.stop()
  })
})

async function checkedAt({ id }: { id: bigint }): Promise<number | undefined> {
  const query = 'select checked_at as at from repository_settings where repository_id = $1'
  const { rows } = await service.db.query<{ at: Date }>(query, [id])
  return rows[0]?.at.getTime()
}

/** Waits until the settings are saved, which happens in the background. */
async function saved(repository: { id: bigint }): Promise<void> {
  await expect.poll(() => checkedAt(repository)).toBeGreaterThan(0)
}

/** Uses settings that are due, and waits until they are revalidated. */
async function revalidated(repository: TestRepository): Promise<void> {
  await settingsOf(repository)
  await expect.poll(() => checkedAt(repository)).toBe(service.clock.now().getTime())
}

describe('a file that was valid under wider limits', () => {
  const wide = {
    areas: { web: [`src/{1..200}.ts`, ...Array.from({ length: 20 }, (_, n) => `${n}${'é'.repeat(500)}`)] },
  }

  it('stays in use, also when it is read again and refused', async () => {
    const { repository, write } = withSettings(service, good)
    await settingsOf(repository)
    await saved(repository)
    await service.db.query('update repository_settings set file_values = $2 where repository_id = $1', [
      repository.id,
      wide,
    ])
    const there = otherInstance.as(repository)
    expect((await settingsOf(there)).settings.areas).toEqual(wide.areas)
    write(JSON.stringify(wide))
    await service.db.query('update repository_settings set marks = marks + 1 where repository_id = $1', [repository.id])
    service.clock.advance(2 * minute)
    await expect.poll(async () => (await settingsOf(there)).problems.map(({ field }) => field)).toContain('areas.web')
    expect((await settingsOf(there)).settings.areas).toEqual(wide.areas)
  })
})
