import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lines, type MergeScene, prepareMergeScene, type TestClone } from './merge-scene.ts'

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
const cleanUp = (remove: () => void | Promise<void>) => void removals.push(remove)
beforeAll(async () => {
  scene = await prepareMergeScene(cleanUp)
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

/** Tries two pull requests, of which one conflicts with the work. */
async function expectRight(clone: TestClone, watched: TestClone = clone): Promise<void> {
  clone.write('a.txt', lines({ 5: 'mine' }))
  const before = watched.listing()
  const { byNumber } = await clone.try([1, 2])
  expect([byNumber[1]?.merge, byNumber[2]?.merge]).toEqual(['conflicts', 'clean'])
  expect(watched.listing()).toEqual(before)
}

describe('a try is right, and leaves nothing,', () => {
  it.for(['a b', "it's", 'a:b', '"quoted"', '#', 'line\nfeed', 'back\\slash', 'ünï'])(
    'in a folder named %j',
    async (name) => {
      await expectRight(scene.clone(name))
    },
  )

  it('in another work tree of a clone', async () => {
    const main = scene.clone()
    main.git('worktree', 'add', '-q', '-b', 'other', '../linked')
    const linked = scene.open(join(main.top, '../linked'))
    await expectRight(linked, main)
  })

  it('in a clone that takes objects from another one', async () => {
    const other = scene.clone()
    await expectRight(scene.cloneWith('--reference', other.top))
  })

  it('in a sparse clone with a sparse index', async () => {
    const clone = scene.clone()
    clone.git('sparse-checkout', 'init', '--cone', '--sparse-index')
    await expectRight(clone)
  })

  it('in a repository with SHA-256', async () => {
    const other = await prepareMergeScene(cleanUp, ['--object-format=sha256'])
    await expectRight(other.clone())
  })

  it('beside commits and other tries in the same clone', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const tries = [1, 2, 3, 4].map(() => clone.try([1, 2]))
    for (const number of [1, 2, 3]) {
      clone.write(`new-${number}.txt`, 'mine\n')
      clone.git('add', `new-${number}.txt`)
      clone.git('commit', '-qm', 'new')
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const { byNumber } of await Promise.all(tries)) {
      expect([byNumber[1]?.merge, byNumber[2]?.merge]).toEqual(['conflicts', 'clean'])
    }
  })
})
