import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lines, type TestClone, useScene } from './scene/scene.ts'

const scene = useScene()
const sha256 = useScene(['--object-format=sha256'])

/** Tries two pull requests, of which one conflicts with the work. */
async function expectRight(clone: TestClone, watched: TestClone = clone): Promise<void> {
  clone.write('a.txt', lines({ 5: 'mine' }))
  const before = watched.listing()
  expect(await clone.try([1, 2])).toMatchObject({ 1: { conflicts: ['a.txt'] }, 2: { conflicts: [] } })
  expect(watched.listing()).toEqual(before)
}

describe('§14 a try is right, and leaves nothing,', () => {
  it.for(['a b', "it's", 'a:b', '"quoted"', '#', 'line\nfeed', 'back\\slash', 'ünï'])('in a folder named %j', (name) =>
    expectRight(scene().clone(name)),
  )

  it('in another work tree of a clone', async () => {
    const main = scene().clone()
    main.git('worktree', 'add', '-q', '-b', 'other', '../linked')
    await expectRight(scene().open(join(main.top, '../linked')), main)
  })

  it('in a clone that takes objects from another one', async () => {
    await expectRight(scene().cloneWith('--reference', scene().clone().top))
  })

  it('in a sparse clone with a sparse index', async () => {
    const clone = scene().clone()
    clone.git('sparse-checkout', 'init', '--cone', '--sparse-index')
    await expectRight(clone)
  })

  it('in a repository with SHA-256', () => expectRight(sha256().clone()))

  it('beside commits and other tries in the same clone', async () => {
    const clone = scene().clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const tries = [1, 2, 3].map(() => clone.try([1, 2]))
    clone.write('new.txt', 'mine\n')
    clone.git('add', 'new.txt')
    clone.git('commit', '-qm', 'new')
    for (const tried of await Promise.all(tries)) {
      expect(tried).toMatchObject({ 1: { conflicts: ['a.txt'] }, 2: { conflicts: [] } })
    }
  })
})
