import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headsup-setup-'))
  await copyFile(join(root, 'app.yml'), join(directory, 'app.yml'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

function setup(env: Record<string, string>) {
  const script = join(root, 'scripts/setup.mjs')
  const { PATH = '' } = process.env
  return spawn(process.execPath, [script], { cwd: directory, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

describe('npm run setup', () => {
  it('offers to register an App that may read metadata, contents and pull requests, and nothing more', async () => {
    const port = await freePort()
    const child = setup({ PORT: String(port) })
    const page = await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/probot`).then(
            (answer) => answer.text(),
            () => '',
          ),
        { timeout: 15_000 },
      )
      .toContain('Register GitHub App')
      .then(() => fetch(`http://127.0.0.1:${port}/probot`))
      .then((answer) => answer.text())
    child.kill()
    await once(child, 'close')
    const manifest = JSON.parse(/value='(\{.*?\})'/.exec(page)?.[1] ?? '{}')
    expect(manifest).toMatchObject({
      default_permissions: { metadata: 'read', contents: 'read', pull_requests: 'read' },
      default_events: ['delete', 'pull_request', 'push', 'repository'],
      public: false,
    })
    expect(Object.keys(manifest.default_permissions)).toHaveLength(3)
    expect(manifest.hook_attributes.url).toMatch(/\/api\/github\/webhooks$/)
  })

  it('refuses where there is an App already', async () => {
    const child = setup({ APP_ID: '7' })
    expect((await once(child, 'close'))[0]).toBe(1)
  })
})
