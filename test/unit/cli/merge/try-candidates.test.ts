import { truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArgs } from '../../../../src/cli/args.ts'
import type { Json } from '../../../../src/cli/client/json.ts'
import { mergeOption } from '../../../../src/cli/command.ts'
import type { GitConfig } from '../../../../src/cli/git/git-config.ts'
import type { OverlapAfterMerges } from '../../../../src/cli/merge/answer/after-merges.ts'
import { keptPlaceOf, readMergedFile } from '../../../../src/cli/merge/kept/kept-files.ts'
import { mergeFinding } from '../../../../src/cli/merge/merge-finding.ts'
import { type MergeContext, tryCandidates } from '../../../../src/cli/merge/try-candidates.ts'
import { serverToken } from '../../../support/git-server.ts'
import { lines, type MergeScene, prepareMergeScene, type TestClone } from './merge-scene.ts'

let scene: MergeScene
let service: URL
const removals: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  scene = await prepareMergeScene((remove) => removals.push(remove))
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: 'headsup', github_server_url: scene.server.url.origin }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  removals.push(() => {
    server.closeAllConnections()
    server.close()
  })
  service = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

/** A candidate as the service names it, by default one that collides by lines. */
function candidate(number: number, more: Json = {}): Json {
  return {
    ...{ activity_id: `act_${number}`, number, branch: null, severity: 'high', head_sha: null, base_branch: 'main' },
    ...{ example_path: 'a.txt', lines: [[5, 5]], their_lines: [[4, 5]], distance: 0 },
    ...{ severity_without_lines: null, severity_limit: null, grave: false, ignored_author: false },
    ...{
      ...{ actor: `user${number}`, source: 'pull_request', basis: { pr_number: number } },
      has_unpushed_lines: false,
      files: [{ path: 'a.txt', previous_path: null, ignored: false }],
    },
    ...more,
  }
}

/** The answer of a check: those with a severity collide, the others are nearby. */
function answer(candidates: Json[], more: Json = {}): Json {
  const colliding = candidates.filter(({ severity }) => severity !== null)
  const isClear = colliding.length === 0
  return {
    ...{ overlap_detected: !isClear, clear: isClear, obstacles: isClear ? [] : ['collision'] },
    severity: isClear ? null : 'high',
    related_activity_ids: colliding.map(({ activity_id }) => activity_id),
    related_order: colliding.map(({ severity, outside = false }) => ({ severity, outside, stale: false })),
    related_notable_ids: [],
    nearby_activity_ids: candidates.flatMap(({ severity, activity_id }) => (severity === null ? activity_id : [])),
    nearby_count: candidates.length - colliding.length,
    collisions: colliding,
    messages: isClear ? [{ kind: 'advice', ids: [], text: 'Go ahead.' }] : [],
    ...{ candidates, candidates_total: candidates.length },
    ...more,
  }
}

interface Settings {
  now?: () => number
  flags?: string[]
  merge?: string
  token?: string
  base?: string
}

const basesOf = ({ base = 'main' }: Settings) =>
  base === '' ? { base: null, defaultBranch: null } : { base: { name: base, refs: [] }, defaultBranch: 'main' }

function tryIn(clone: TestClone, overlap: Json, settings: Settings = {}) {
  return tryCandidates(contextOf(clone, settings), overlap, basesOf(settings))
}

function contextOf(
  clone: TestClone,
  { flags = [], merge, token = serverToken, now = Date.now }: Settings,
): MergeContext {
  const { terminal } = clone.question([])
  const env = { ...terminal.env, HEADSUP_MERGE_LIMIT_MS: '60000' }
  const config: GitConfig = {
    get: (key) => (key === 'headsup.merge' ? merge : undefined),
    remotes: [],
    hasFilters: false,
  }
  return {
    ...{ config, service, token, repository: 'acme/app', args: readArgs(flags, mergeOption, 'check') },
    terminal: { ...terminal, env, now, cwd: clone.top },
    readChanges: async () => ({ head: null, files: [changedFile], diff: '', note: undefined, unreadable: 0 }),
  }
}

const changedFile = { path: 'a.txt', previous_path: null, status: 'modified' as const, lines: [[5, 5] as const] }

/** A clone in which line 5 of `a.txt` is changed. */
function changedClone(): TestClone {
  const clone = scene.clone()
  clone.write('a.txt', lines({ 5: 'mine' }))
  return clone
}

const talkTo = (number: number) =>
  `Talk to “user${number}” (#${number}) before you start, or take up something else first.`

function textsOf({ messages }: OverlapAfterMerges): string[] {
  return messages.map(({ text }) => text)
}

describe('after the merges are tried', () => {
  it('a conflict is high, and told with its file', async () => {
    const after = await tryIn(changedClone(), answer([candidate(1, { severity: 'low' })]))
    expect(after).toMatchObject({
      isOverlap: true,
      overlap: {
        ...{ clear: false, severity: 'high', obstacles: ['collision'] },
        collisions: [
          {
            severity: 'high',
            severity_by_lines: 'low',
            merge: 'conflicts',
            merge_paths: ['a.txt'],
            merge_types: ['contents'],
          },
        ],
      },
    })
    expect(textsOf(after)).toEqual([
      expect.stringMatching(/^Tried now: your work and #1 do not merge\. Conflict in “a\.txt”/),
    ])
  })

  it('a clean merge lowers what lines gave, and all is clear', async () => {
    const after = await tryIn(changedClone(), answer([candidate(2)]))
    expect(after).toMatchObject({
      isOverlap: false,
      overlap: {
        ...{ overlap_detected: true, clear: true, severity: 'low', obstacles: [] },
        recommended_action: 'No conflict: tried with 1 pull request. Go ahead.',
        collisions: [{ severity: 'low', merge: 'clean', severity_by_lines: 'high' }],
      },
    })
  })

  it('what all is clear with is called by what it is: pull requests, or other work too', async () => {
    const pulls = [candidate(2), candidate(3, { severity: null })]
    const advised = async (candidates: Json[]) =>
      (await tryIn(changedClone(), answer(candidates))).overlap.recommended_action
    expect(await advised(pulls)).toBe('No conflict: tried with 2 pull requests. Go ahead.')
    const branch = candidate(4, { number: null, branch: 'old' })
    expect(await advised([...pulls, branch])).toBe('No conflict: tried with 3 pieces of work of others. Go ahead.')
  })

  it('a clean merge clears nothing where a scope, a grave risk, unpushed lines or an equal change is left', async () => {
    const low = 'Let “user2” (#2) know what you are about to do.'
    const same = { kind: 'open_already', severity: 'high' }
    const left: [Json, string][] = [
      [{ severity_without_lines: 'low' }, low],
      [{ grave: true }, 'Agree with “user2” (#2) on who changes what before you start.'],
      [{ has_unpushed_lines: true }, talkTo(2)],
      [
        { same_change: true, severity_without_lines: 'high', basis: { pr_number: 2, same_change: same } },
        'See whether #2 is all that is needed, and talk to “user2” before you go on.',
      ],
    ]
    for (const [more, recommended_action] of left) {
      const { overlap } = await tryIn(changedClone(), answer([candidate(2, more)]))
      expect(overlap, JSON.stringify(more)).toMatchObject({ clear: false, recommended_action })
    }
  })

  it('a clean merge leaves other obstacles, and notables', async () => {
    const unread = await tryIn(changedClone(), answer([candidate(2)], { obstacles: ['collision', 'unread'] }))
    expect(unread.overlap).toMatchObject({ clear: false, obstacles: ['unread'] })
    const notable = { obstacles: ['collision', 'notable'], related_notable_ids: ['ntb_1'] }
    const after = await tryIn(changedClone(), answer([candidate(2)], notable))
    expect(after).toMatchObject({ isOverlap: true, overlap: { clear: false } })
  })

  it('work that is only nearby becomes a collision where it does not merge, and no "go ahead" is left', async () => {
    const after = await tryIn(changedClone(), answer([candidate(1, { severity: null })]))
    expect(after).toMatchObject({
      isOverlap: true,
      overlap: {
        ...{ overlap_detected: true, clear: false, severity: 'high', related_activity_ids: ['act_1'] },
        ...{ nearby_activity_ids: [], nearby_count: 0 },
        collisions: [{ activity_id: 'act_1', merge: 'conflicts', severity_by_lines: null }],
        messages: [
          { kind: 'merge', ids: ['act_1'], text: expect.stringContaining('do not merge') },
          { kind: 'advice', ids: ['act_1'], text: talkTo(1) },
        ],
      },
    })
  })

  it('the advice is about the worst collision that is left, and keeps what is about no collision', async () => {
    const lines = [
      { kind: 'advice', ids: ['act_0'], text: 'Your activity has expired.' },
      { kind: 'advice', ids: ['act_2'], text: 'Talk to “user2” before you start.' },
      { kind: 'advice', ids: ['act_1'], text: 'See the other one too.' },
      { kind: 'advice', ids: ['ntb_1'], text: 'Keep in mind for the whole repository: “Freeze”.' },
    ]
    const more = { messages: lines, repository_notable_ids: ['ntb_1'] }
    const { overlap } = await tryIn(changedClone(), answer([candidate(2), candidate(1)], more))
    expect(overlap.messages).toMatchObject([
      { kind: 'merge' },
      { kind: 'merge' },
      { ids: ['act_0'], text: 'Your activity has expired.' },
      { ids: ['act_1'], text: talkTo(1) },
      { ids: ['act_2'], text: 'See the other one too.' },
      { ids: ['ntb_1'], text: 'Keep in mind for the whole repository: “Freeze”.' },
    ])
  })

  it('nobody is told to wait for a stranger whose work does not merge', async () => {
    const { overlap } = await tryIn(changedClone(), answer([candidate(1, { severity: null, outside: true })]))
    expect(overlap).toMatchObject({ clear: false })
    expect(overlap.recommended_action).toMatch(/^Only a pull request from outside .* “user1” \(#1\): do not wait/)
    const others = answer([candidate(1, { severity: null, outside: true }), candidate(2, { grave: true })])
    expect((await tryIn(changedClone(), others)).overlap.recommended_action).toMatch(/^Agree with “user2” \(#2\)/)
  })

  it('one that could not be tried keeps its severity, and is named with the reason', async () => {
    const after = await tryIn(changedClone(), answer([candidate(2), candidate(999)]))
    expect(after).toMatchObject({
      isOverlap: true,
      overlap: {
        ...{ clear: false, severity: 'high' },
        collisions: [{ severity: 'high', merge: 'not_tried', merge_reason: 'head_gone' }, { merge: 'clean' }],
      },
    })
    expect(textsOf(after)).toContain('Not tried, so by lines alone: #999 (the head is gone).')
  })

  it('the same try again answers from what is kept, and says how old that is', async () => {
    const clone = changedClone()
    const head_sha = scene.server.commitOf('refs/pull/1/head')
    const overlap = answer([candidate(1, { head_sha })])
    await tryIn(clone, overlap)
    const after = await tryIn(clone, overlap, { now: () => Date.now() + 180_000 })
    expect(textsOf(after)).toEqual([expect.stringMatching(/^Tried 3 min ago: your work and #1 do not merge\./)])
    const { workTree } = clone.question([])
    const place = keptPlaceOf({ HOME: clone.home }, workTree, serverToken)
    expect(place && readMergedFile(place, 'a.txt', Date.now()).entries).toMatchObject([
      { activity_id: 'act_1', head_sha },
    ])
  })

  it('the target is the default branch that the service knows, where git knows none', async () => {
    const { overlap } = await tryIn(changedClone(), answer([candidate(1)]), { base: '' })
    expect(overlap).toMatchObject({ target: { branch: 'main' }, collisions: [{ merge: 'conflicts' }] })
  })

  it('work that does not merge into its target branch is told, and nothing is clear', async () => {
    const clone = scene.clone()
    clone.write('main.txt', lines({ 10: 'mine' }))
    const after = await tryIn(clone, answer([candidate(2, { severity: null })]))
    expect(after.overlap).toMatchObject({
      ...{ clear: false, obstacles: ['target'] },
      target: { branch: 'main', merge: 'conflicts', paths: ['main.txt'] },
    })
    expect(textsOf(after)).toContain('Tried now: your work no longer merges into “main” (“main.txt”).')
    expect(after.overlap.recommended_action).toBe('Merge the target branch into your work first.')
  })

  it('a collision without a candidate is not tried, and keeps the answer from being clear', async () => {
    const overlap = answer([candidate(2)])
    const declared = { activity_id: 'act_x', severity: 'medium' }
    const collisions = [...(overlap.collisions as Json[]), declared]
    const after = await tryIn(changedClone(), {
      ...{ ...overlap, collisions, related_activity_ids: ['act_2', 'act_x'] },
      related_order: [{ severity: 'high' }, { severity: 'medium' }],
    })
    expect(after).toMatchObject({
      isOverlap: true,
      overlap: {
        clear: false,
        severity: 'medium',
        collisions: [{ activity_id: 'act_x', merge: 'not_tried', merge_reason: 'not_pushed' }, {}],
      },
    })
  })
})

describe('where no merge can be tried', () => {
  const cases: { name: string; settings: Settings; reason: string; lines: number }[] = [
    { name: 'by --no-merge', settings: { flags: ['--no-merge'] }, reason: 'off', lines: 0 },
    { name: 'by headsup.merge false', settings: { merge: 'false' }, reason: 'off', lines: 0 },
    { name: 'without access', settings: { token: 'other' }, reason: 'access', lines: 1 },
    { name: 'without the target branch', settings: { base: 'gone' }, reason: 'target', lines: 1 },
  ]
  it.each(cases)('the answer is by lines, $name', async ({ settings, reason, lines: count }) => {
    const overlap = answer([candidate(1)])
    const after = await tryIn(changedClone(), overlap, settings)
    expect(after).toMatchObject({
      isOverlap: true,
      overlap: {
        ...{ clear: false, severity: 'high', recommended_action: talkTo(1) },
        collisions: [{ severity: 'high', merge: 'not_tried', merge_reason: reason }],
      },
    })
    expect(after.messages).toHaveLength(count)
  })

  it('an answer that is clear stays clear', async () => {
    const { overlap } = await tryIn(changedClone(), answer([candidate(1, { severity: null })]), { token: 'other' })
    expect(overlap).toMatchObject({ clear: true, recommended_action: 'Go ahead.', collisions: [] })
  })
})

describe('headsup doctor', () => {
  const findings = (clone: TestClone, settings: Settings = {}) =>
    mergeFinding(contextOf(clone, settings), basesOf(settings))

  it('says that merges can be tried, and what was not tried', async () => {
    const clone = changedClone()
    await tryIn(clone, answer([candidate(1), candidate(999)], { candidates_total: 5 }))
    const before = clone.listing()
    expect(await findings(clone)).toEqual([
      { name: 'merges', state: 'ok', text: 'the merge with the work of others can be tried here.' },
      {
        name: 'merges',
        state: 'note',
        text: 'Within 0 min: 1 check with work to try, 1 with something not tried (head_gone 1), in 1 of them 3 beyond the limit.',
      },
    ])
    expect(clone.listing()).toEqual(before)
  })

  const cases: [string, Settings, (clone: TestClone) => void, string][] = [
    ['switched off', { merge: 'false' }, () => {}, 'trying them is switched off here, by git config headsup.merge.'],
    ['without access', { token: 'other' }, () => {}, 'the token may not read the contents there.'],
    ['without the target branch', { base: 'gone' }, () => {}, 'the remote has no branch “gone”.'],
    ['without a default branch', { base: '' }, () => {}, 'git knows no default branch of the remote here'],
    ['in a shallow clone', {}, ({ top }) => writeFileSync(join(top, '.git/shallow'), '1\n'), 'this clone is shallow.'],
    [
      'with a large index',
      {},
      ({ top }) => truncateSync(join(top, '.git/index'), 33 * 1024 * 1024),
      'something is too large.',
    ],
  ]
  it.each(cases)('says why they cannot be tried: %s', async (_, settings, prepare, text) => {
    const clone = scene.clone()
    prepare(clone)
    expect(await findings(clone, settings)).toEqual([
      { name: 'merges', state: 'note', text: expect.stringContaining(text) },
    ])
  })
})
