import { z } from 'zod'
import { addRepository } from '../../support/github/build-data.ts'
import { type Repository, repositoryOf } from '../../support/github/data.ts'
import type { TestRepository, TestService } from '../../support/service.ts'

const path = '.github/headsup.yml'

const ShownSettings = z.object({
  settings: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), z.string()),
  file: z.object({ repository: z.string(), path: z.string(), sha: z.string(), read_at: z.string() }).nullable(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
  report: z.object({ state: z.string(), reason: z.string().nullable(), approve_url: z.string().nullable() }),
})

/** The settings as the API returns them. Throws unless the status is 200. */
export async function settingsOf(repository: TestRepository): Promise<z.infer<typeof ShownSettings>> {
  const response = await repository.get('/settings', { token: repository.reader })
  if (response.status !== 200) throw new Error(`status ${response.status}: ${JSON.stringify(response.body)}`)
  return ShownSettings.parse(response.body)
}

/** The repository in the GitHub stand-in. */
export function githubRepository({ github }: TestService, { id }: { id: bigint }): Repository {
  return repositoryOf(github.data, Number(id))
}

let owners = 0

/** Creates a repository with a new owner, the App installed, and this settings file; null for none. */
export function withSettings(service: TestService, text: string | null) {
  const owner = `owner-${++owners}`
  const installation = service.github.install(owner)
  const repository = service.newRepository(owner)
  const write = (text: string | null) => {
    const { files } = githubRepository(service, repository)
    if (text === null) files.delete(path)
    else files.set(path, text)
  }
  write(text)
  return { repository, owner, installation, write }
}

/** Creates a private `.github` repository of the owner with this settings file, and returns its id. */
export function fileOf({ github }: TestService, owner: string, text: string): number {
  return addRepository(github.data, owner, '.github', { files: new Map([[path, text]]) }).id
}
