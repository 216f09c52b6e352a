import { spansOf } from '../../../src/core/changes/spans.ts'
import { globOf } from '../../../src/core/globs/glob.ts'
import { compare as comparing } from '../../../src/core/overlap/compare.ts'
import type { Comparison } from '../../../src/core/overlap/comparison.ts'
import { changedFiles, type FileStatus } from '../../../src/core/overlap/files.ts'
import { areaKey, type Work } from '../../../src/core/overlap/work.ts'

/** A changed file: `[first, last]` ranges of the old side, or null where they are not known. */
export interface TestFile {
  status?: FileStatus
  lines?: [number, number][] | null
  toldBy?: 'client' | 'github'
}

export interface TestWork {
  base?: string | null
  globs?: string[]
  areas?: string[]
  /** The globs that the settings give areas. */
  areaGlobs?: Record<string, string[]>
  files?: Record<string, TestFile>
  issues?: number[]
  head?: string
  commits?: string[]
}

export function workOf({ base = null, globs = [], areas = [], areaGlobs = {}, files = {}, ...rest }: TestWork): Work {
  const changed = Object.entries(files).map(([path, { status = 'modified', lines = null, toldBy = 'client' }]) => {
    return { path, status, spans: spansOf(lines ?? []), hasAllLines: lines !== null, toldBy }
  })
  const given = Object.entries(areaGlobs).filter(([label]) => areas.includes(label))
  return {
    baseBranch: base,
    globs: globs.map(globOf),
    areas: new Map(areas.map((label) => [areaKey(label), label])),
    areaGlobs: new Map(given.map(([label, texts]) => [areaKey(label), texts.map(globOf)])),
    files: changedFiles(changed),
    hasIgnoredFiles: false,
    issues: rest.issues ?? [],
    head: rest.head ?? null,
    commits: rest.commits ?? [],
  }
}

export function compare(one: TestWork, other: TestWork, epics: number[] = []): Comparison | null {
  return compared(workOf(one), workOf(other), epics)
}

export function compared(one: Work, other: Work, epics: number[] = []): Comparison | null {
  const steps = comparing(one, other, { budget: { steps: 2_000_000 }, epics: new Set(epics) })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
