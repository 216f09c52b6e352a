import { describe, expect, it } from 'vitest'
import { findMeetingAtOnce, meetAtOnce } from '../../../src/scope/meet-at-once.ts'
import { united } from '../../../src/scope/united-paths.ts'
import { read } from './read.ts'

const pathCount = (text: string) => united(read(text).paths, { steps: 0 }).paths.length

describe('paths that differ in one segment', () => {
  it('are one, also where they end with a bracket, which by its own text is a directory', () => {
    expect(pathCount('{a,b,c}/d')).toBe(1)
    expect(pathCount('{a,b}/{c,d}/{e,f}')).toBe(1)
    expect(pathCount('{a,b,c}/[de]')).toBe(2)
  })

  it('are one only as far as all of them are wildcards, or none: what lies below a file is taken by a name', () => {
    expect(pathCount('{c,d,*}/a/**')).toBe(2)
    const [file, directories] = [read('{x,y}.b'), read('{c,d,*}/a/**')]
    expect(meetAtOnce(file, directories, { steps: 0 })).toBe(false)
    expect(findMeetingAtOnce(directories, file, { steps: 0 })).toBeNull()
    expect(meetAtOnce(file, read('{c,*,x.?}/a/**'), { steps: 0 })).toBe(true)
  })
})
