import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sweepStores } from '../../../../src/cli/merge/git/merge-store.ts'
import { isAlive, scratch } from '../../../support/scratch.ts'
import { lines, type MergeScene, prepareMergeScene, pull, type TestClone } from './merge-scene.ts'

let scene: MergeScene
let program: string
const removals: (() => void | Promise<void>)[] = []
const cleanUp = (remove: () => void | Promise<void>) => void removals.push(remove)
beforeAll(async () => {
  scene = await prepareMergeScene(cleanUp)
  program = join(await scratch({ cleanUp }), 'try.mjs')
  const code = `import { tryMerges } from './src/cli/merge/try-merges.ts'
    const question = JSON.parse(process.argv[2])
    const terminal = { ...question.terminal, signal: new AbortController().signal, now: Date.now }
    const source = { ...question.source, url: new URL(question.source.url) }
    console.log('begins')
    await tryMerges({ ...question, source, terminal, changedPaths: new Set() })`
  const stdin = { contents: code, resolveDir: new URL('../../../../', import.meta.url).pathname, loader: 'ts' as const }
  await build({ stdin, outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

const hasLfs = spawnSync('git', ['lfs', 'version']).status === 0

/** With Git LFS where it is installed, and a large file that git would compare by its filter. */
function changedClone(): TestClone {
  const clone = scene.clone()
  if (hasLfs) {
    const commands = { clean: 'git-lfs clean -- %f', smudge: 'git-lfs smudge -- %f', process: 'git-lfs filter-process' }
    for (const [name, command] of Object.entries(commands)) clone.git('config', `filter.lfs.${name}`, command)
    clone.write('.gitattributes', 'data.bin filter=lfs diff=lfs merge=lfs -text\n')
    clone.git('add', '-A')
    clone.git('commit', '-qm', 'lfs')
    clone.write('data.bin', 'two\n')
    const soon = new Date(Date.now() + 3_600_000)
    utimesSync(join(clone.top, 'data.bin'), soon, soon)
  }
  clone.write('a.txt', lines({ 5: 'mine' }))
  clone.write('new.txt', 'mine\n')
  clone.git('add', 'new.txt')
  return clone
}

/** A process that tries merges, once it begins. */
async function startTry(clone: TestClone): Promise<ChildProcess> {
  const question = JSON.stringify(clone.question([1, 2, 3, 5].map(pull)))
  const child = spawn(process.execPath, [program, question], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return child
}

it('a try that is killed at any moment leaves nothing in the clone, and the next one removes its temporary files', async () => {
  const clone = changedClone()
  const { temporary } = clone
  const before = clone.listing()
  let left = 0
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(
      [0, 1, 2].map(async (index) => {
        const child = await startTry(clone)
        await wait((round * 3 + index) * 17)
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }),
    )
    left = Math.max(left, readdirSync(temporary).length)
  }
  expect(left).toBeGreaterThan(0)
  // git, which runs in sessions of its own, may still write for a moment.
  await expect
    .poll(() => {
      sweepStores(temporary, Date.now())
      return readdirSync(temporary)
    })
    .toEqual([])
  expect(clone.listing()).toEqual(before)
})

it('a try that a signal ends clears up before it does', async () => {
  const clone = changedClone()
  const before = clone.listing()
  scene.server.answer = () => {}
  const child = await startTry(clone)
  // It waits for the server.
  const { temporary } = clone
  await expect
    .poll(() => readdirSync(temporary).some((name) => existsSync(join(temporary, name, 'packed-refs'))))
    .toBe(true)
  child.kill('SIGTERM')
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGTERM')
  expect(clone.listing()).toEqual(before)
})

it('only its own folders of ended processes are swept', async () => {
  const temporary = await scratch()
  let dead = 4_000_000
  while (isAlive(dead)) dead -= 1
  const names = [`${dead}-x`, `${process.pid}-x`, `${process.pid}-old`].map((name) => `headsup-merge-${name}`)
  for (const name of [...names, 'headsup-merge-x', `other-${dead}`])
    mkdirSync(join(temporary, name, 'objects'), { recursive: true })
  writeFileSync(join(temporary, `headsup-merge-${dead}-file`), '')
  mkdirSync(join(temporary, 'target'))
  symlinkSync('target', join(temporary, `headsup-merge-${dead}-link`))
  const old = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(join(temporary, `headsup-merge-${process.pid}-old`), old, old)
  sweepStores(temporary, Date.now())
  expect(readdirSync(temporary).sort()).toEqual(
    [
      `headsup-merge-${process.pid}-x`,
      'headsup-merge-x',
      `headsup-merge-${dead}-file`,
      `headsup-merge-${dead}-link`,
      `other-${dead}`,
      'target',
    ].sort(),
  )
  sweepStores(join(temporary, 'absent'), Date.now())
})
