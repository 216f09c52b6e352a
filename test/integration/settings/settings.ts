import { z } from 'zod'
import { addRepository } from '../../support/github/declare.ts'
import { type Repository, repositoryOf } from '../../support/github/world.ts'
import type { TestRepository, TestService } from '../../support/service.ts'

const path = '.github/headsup.yml'

const Shown = z.object({
  settings: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), z.string()),
  file: z.object({ repository: z.string(), path: z.string(), sha: z.string(), read_at: z.string() }).nullable(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
})

/** What the API shows; the answer has to be 200. */
export async function settingsOf(repository: TestRepository): Promise<z.infer<typeof Shown>> {
  const answer = await repository.get('/settings', { token: repository.reader })
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.body)}`)
  return Shown.parse(answer.body)
}

/** The repository as the stand-in knows it. */
export function githubRepository({ github }: TestService, { id }: { id: bigint }): Repository {
  return repositoryOf(github.world, Number(id))
}

let owners = 0

/** A repository of an owner of its own, with the App installed, whose settings file holds the text, or is not there. */
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

/** A private `.github` repository of the owner with such a settings file. Gives its id. */
export function fileOf({ github }: TestService, owner: string, text: string): number {
  return addRepository(github.world, owner, '.github', { files: new Map([[path, text]]) }).id
}
