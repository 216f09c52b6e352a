import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientFileRouter } from '../../src/service/api/http/routes/client-file.ts'
import { environment, newDirectory, removeDirectories, run, sharedRepository } from '../support/command-line.ts'
import { startTestService, type TestService } from '../support/service.ts'

const root = new URL('../../', import.meta.url)
const [, block = ''] =
  /### 1\. Command line.*?```sh\n(.*?)```/s.exec(readFileSync(new URL('README.md', root), 'utf8')) ?? []

let service: TestService

beforeAll(async () => {
  service = await startTestService({ clientFile: clientFileRouter(new URL('dist/headsup.mjs', root)) })
})
afterAll(async () => {
  removeDirectories()
  await service.stop()
})

describe('the block of the README about the command line', () => {
  it('ends, finds each command, and leaves nothing that others would see, for somebody with an empty home directory', async () => {
    const repository = service.newRepository()
    const clone = sharedRepository(repository.owner, repository.name).clone('Alice', {})
    const home = newDirectory()
    const env = { ...environment(home), USER: 'alice', GITHUB_TOKEN: repository.writer }
    clone.write('src/login.ts', 'changed')
    const pasted = `set -e\n${block.replaceAll('http://127.0.0.1:3000', service.url)}`
    const { code, out, err } = await run('bash', ['-c', pasted], { cwd: clone.path, env, input: '' })
    const whoseName =
      'Note: git has no user.name, so this work is recorded as that of “alice”. --actor names another.\n'
    expect({ code, err }).toEqual({ code: 0, err: whoseName })
    expect(out).toContain('No overlap')
    expect(out).toContain('is archived')
    expect(readFileSync(join(home, '.local/bin/headsup'), 'utf8')).toContain(service.url)
    expect((await repository.page('/activity')).items).toEqual([])
    expect((await repository.page('/notables')).items).toEqual([])
  })
})
