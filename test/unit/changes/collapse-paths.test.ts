import { array, assert, constantFrom, integer, property, shuffledSubarray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collapsePaths as collapse } from '../../../src/core/changes/collapse-paths.ts'
import { covers } from '../scope/read.ts'

const paths = array(
  array(constantFrom('a', 'b', 'c', '{d', '!e'), { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
  { maxLength: 40 },
)

const noBytes = Number.POSITIVE_INFINITY
const collapsePaths = (all: readonly string[], globs = 100) => collapse(all, { globs, bytes: noBytes })
const bytesOf = (globs: readonly string[]) => globs.reduce((sum, glob) => sum + Buffer.byteLength(glob), 0)

describe('changed paths', () => {
  it('become at most the allowed number of globs, which cover every path, in any order', () => {
    assert(
      property(paths, integer({ min: 1, max: 12 }), (all, limit) => {
        const globs = collapsePaths(all, limit)
        expect(globs.length).toBeLessThanOrEqual(limit)
        for (const path of all) expect(globs.some((glob) => covers(glob, path) || covers(glob, `${path}/x`))).toBe(true)
        expect(collapsePaths([...all].reverse(), limit)).toEqual(globs)
      }),
    )
  })

  it('are collapsed one by one where a single directory is not enough', () => {
    const all = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1', 'c/2', 'd/1', 'd/2']
    expect(collapsePaths(all, 5)).toHaveLength(5)
  })

  it('stay as they are within the limit', () => {
    const some = ['a.ts', 'a/b.ts', 'a/c/d.ts']
    assert(
      property(shuffledSubarray(some), (all) => {
        expect(collapsePaths(all, 3)).toEqual([...all].sort())
      }),
    )
  })

  it('are collapsed in the deepest directories first, and no more than needed', () => {
    const all = ['a/b/1', 'a/b/2', 'a/b/3', 'a/x', 'c/1', 'c/2', 'd']
    expect(collapsePaths(all, 6)).toEqual(['a/b/**', 'a/x', 'c/1', 'c/2', 'd'])
    expect(collapsePaths(all, 4)).toEqual(['a/b/**', 'a/x', 'c/**', 'd'])
    expect(collapsePaths(all, 3)).toEqual(['a/**', 'c/**', 'd'])
    expect(collapsePaths(all, 1)).toEqual(['**'])
  })

  it('that are too long for a glob are covered by the parent directory', () => {
    const long = 'n'.repeat(250)
    const [glob = ''] = collapsePaths([`${long}/${long}/${long}/${long}/${long}`])
    expect(glob).toBe(`${long}/${long}/${long}/${long}/**`)
  })

  it('become at most the allowed number of bytes of UTF-8, and cover every path', () => {
    const names = array(constantFrom('a', 'b', 'é', '😀😀', '{d', 'longer name'), { minLength: 1, maxLength: 4 })
    const some = array(
      names.map((all) => all.join('/')),
      { maxLength: 40 },
    )
    assert(
      property(some, integer({ min: 2, max: 200 }), integer({ min: 1, max: 30 }), (all, bytes, globs) => {
        const found = collapse(all, { globs, bytes })
        expect(bytesOf(found)).toBeLessThanOrEqual(bytes)
        expect(found.length).toBeLessThanOrEqual(globs)
        for (const path of all) expect(found.some((glob) => covers(glob, path) || covers(glob, `${path}/x`))).toBe(true)
        expect(collapse([...all].reverse(), { globs, bytes })).toEqual(found)
      }),
    )
  })

  it('have at most 16 KiB by default, which is what a scope may have', () => {
    const all = Array.from({ length: 90 }, (_, n) => `${'é'.repeat(120)}${n % 3}/${'😀'.repeat(60)}/${n}`)
    const globs = collapse(all)
    expect(bytesOf(globs)).toBeLessThanOrEqual(16 * 1024)
    expect(globs.length).toBeGreaterThan(30)
    expect(globs.filter((glob) => glob.endsWith('/**'))).toHaveLength(2)
  })

  it('take few steps however deep they are', () => {
    const deep = (n: number) => `${n}/${'a/'.repeat(400)}f`
    const all = Array.from({ length: 600 }, (_, n) => deep(n))
    expect(collapsePaths(all, 300)).toEqual(['**'])
    expect(collapsePaths(all, 600)).toHaveLength(600)
  })

  it('may be many thousands', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${index % 7}/${index % 301}/${index % 97}/${index}`)
    expect(collapsePaths(many).length).toBeLessThanOrEqual(100)
  })
})
