import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'
import { serverToken } from './scene/git-server.ts'
import { candidateOf, lines, type TestClone, useScene } from './scene/scene.ts'

const scene = useScene()
let program: string

beforeAll(async () => {
  program = join(tmpdir(), '..', 'try.mjs')
  const code = `import { mergeCandidates } from './src/cli/merge/merge-candidates.ts'
    const { own, candidates, remote } = JSON.parse(process.argv[2])
    console.log('begins')
    await mergeCandidates({ ...own, leftOut: new Set() }, candidates, { ...remote, url: new URL(remote.url) }, AbortSignal.timeout(60_000))`
  const stdin = { contents: code, resolveDir: new URL('../../../', import.meta.url).pathname, loader: 'ts' as const }
  await build({ stdin, outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
})

async function changedClone(): Promise<{ clone: TestClone; start: () => Promise<ChildProcess> }> {
  const { server } = scene()
  const clone = scene().clone()
  clone.write('a.txt', lines({ 5: 'mine' }))
  clone.write('new.txt', 'mine\n')
  clone.git('add', 'new.txt')
  const own = await clone.ownWork([])
  const candidates = [1, 2, 3, 5].map((number) => candidateOf(server, number))
  const question = JSON.stringify({ own, candidates, remote: { url: server.url, token: serverToken, target: 'main' } })
  return {
    clone,
    async start() {
      const child = spawn(process.execPath, [program, question], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      return child
    },
  }
}

/** What lies in the clone, and not in the folder for temporary files. */
const inClone = (clone: TestClone) => clone.listing().filter((line) => !line.startsWith('headsup-merge-'))

it('§14 a try that is killed at any moment leaves nothing in the clone', async () => {
  const { clone, start } = await changedClone()
  const before = inClone(clone)
  let left = 0
  for (let round = 0; round < 12; round += 1) {
    const child = await start()
    await wait(round * 20)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    left = Math.max(left, readdirSync(tmpdir()).length)
  }
  // Some were killed in the middle.
  expect(left).toBeGreaterThan(0)
  expect(inClone(clone)).toEqual(before)
})

it('§14 a try that a signal ends clears up before it does', async () => {
  const { clone, start } = await changedClone()
  const before = inClone(clone)
  const folders = readdirSync(tmpdir())
  const asked = new Promise<void>((resolve) => {
    scene().server.answer = () => resolve()
  })
  const child = await start()
  await asked
  child.kill('SIGTERM')
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGTERM')
  expect(inClone(clone)).toEqual(before)
  expect(readdirSync(tmpdir()).filter((name) => !folders.includes(name))).toEqual([])
})
