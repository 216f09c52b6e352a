import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allGuards, type Guards } from '../../../../src/cli/merge/git/guards.ts'
import { lines, type MergeScene, prepareMergeScene, type TestClone } from './merge-scene.ts'

/*
 * What a try must never do, and the test that would notice. Each test of a guard runs once without it. Beside this file lie
 * odd-clones (N), network (W), killed-try (K), try-merges (M), try-files (F) and try-kept (E).
 *
 * an uncommitted change against several pull requests      M "tells the conflicts of …"
 * a linked work tree, alternates, sparse, SHA-256, names   N
 * six at once beside commits                               N "beside commits and other tries"
 * shallow, unborn, in the middle of a merge or rebase      M "is not tried …"
 * partial; a missing blob is never fetched                 W "a partial clone", "fetches no missing object"
 * both rename or add, removal, directory, binary, mode,
 *   line feed, link, submodule, line ends                  M the table `cases`
 * Git LFS on both sides                                    here "a try in a clone with Git LFS"
 * a submodule with an option as its address                here "runs nothing that any setting names"
 * a huge file of others                                    M "does not fetch large files of others"
 * a ref or commit that is gone, fetching by commit         M "tries the others where one head is gone"
 * the server is away, silent, or asks for a password       W "a fetch of heads"
 * kill -9 at 30 moments, a signal, what is swept           K
 * fsmonitor, hooks, filters (status, update-index,
 *   write-tree), split index, objects, index, refs,
 *   FETCH_HEAD, shallow, drivers                           here, the table `attacks`
 * pager, editor, aliases, gpg, textconv, gc, refspecs …    here "runs nothing that any setting names"
 * GIT_DIR, GIT_INDEX_FILE of a hook of git                 here "does not need the repository …"
 * a ref that a hook updates, line ends that a setting
 *   refuses                                                here "lets git update no ref", "reads files whose ends"
 * credential helpers, askpass, .netrc, redirects, the
 *   token in an argument or a file                         W
 * a hook that waits for the server                         E "without the server, and leaves nothing"
 * a git without merges of trees, or too old for all        F "an older git"
 */

let scene: MergeScene
const removals: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  scene = await prepareMergeScene((remove) => removals.push(remove))
})
afterAll(async () => {
  for (const remove of removals) await remove()
})

/** The guards without one setting. */
function without(part: 'clone' | 'merge' | 'fetch', name: string): Guards {
  const { [name]: left, ...others } = allGuards[part]
  if (left === undefined) throw new Error(`${name} is no guard.`)
  return { ...allGuards, [part]: others }
}

const soon = new Date(Date.now() + 3_600_000)

/** git compares the content of a file that is newer than the index, whenever it reads or writes the index. */
function writeNewerThanIndex(clone: TestClone, path: string, content: string): void {
  clone.write(path, content)
  utimesSync(join(clone.top, path), soon, soon)
}

interface Attack {
  name: string
  prepare: (clone: TestClone) => void
  guards: Guards
  /** Whether it was noticed. */
  isNoticed: (clone: TestClone, added: string[]) => boolean
}

const isAdded = (pattern: RegExp) => (_: TestClone, added: string[]) => added.some((line) => pattern.test(line))

/** A file with a filter whose content git compares each time: by its times, it may have changed since the index was written. */
function addFilter(clone: TestClone): void {
  writeNewerThanIndex(clone, 'b.txt', lines())
  clone.git('update-index', '--refresh')
  clone.git('config', 'filter.evil=x.clean', clone.trap('filter'))
  clone.git('config', 'filter.evil=x.required', 'true')
  writeFileSync(join(clone.top, '.git/info/attributes'), 'b.txt filter=evil=x\n')
}

const attacks: Attack[] = [
  {
    name: 'a file system monitor',
    prepare: (clone) => clone.git('config', 'core.fsmonitor', clone.trap('fsmonitor')),
    guards: without('clone', 'core.fsmonitor'),
    isNoticed: (clone) => clone.ran().length > 0,
  },
  {
    name: 'a hook that git runs after it has written an index',
    prepare(clone) {
      mkdirSync(join(clone.top, '.git/hooks'), { recursive: true })
      const trap = clone.trap('hook')
      writeFileSync(join(clone.top, '.git/hooks/post-index-change'), readFileSync(trap))
      chmodSync(join(clone.top, '.git/hooks/post-index-change'), 0o755)
    },
    guards: without('clone', 'core.hooksPath'),
    isNoticed: (clone) => clone.ran().length > 0,
  },
  {
    name: 'a hook that git runs when a ref changes, in a folder that a setting names',
    prepare(clone) {
      const trap = clone.trap('reference-transaction')
      clone.git('config', 'core.hooksPath', dirname(trap))
    },
    guards: { ...without('fetch', 'protocol.allow'), fetchesIntoStore: false },
    isNoticed: (clone) => clone.ran().some((line) => line.startsWith('reference-transaction')),
  },
  {
    name: 'a filter, in each command that reads files',
    prepare: addFilter,
    guards: { ...allGuards, filter: {} },
    isNoticed: (clone) =>
      ['status', 'update-index', 'write-tree'].every((command) =>
        clone.ran().some((line) => line.includes(` ${command} `)),
      ),
  },
  {
    name: 'a split index',
    prepare: (clone) => clone.git('config', 'core.splitIndex', 'true'),
    guards: without('clone', 'core.splitIndex'),
    isNoticed: isAdded(/^\.git\/sharedindex\./),
  },
  {
    name: 'objects in the clone',
    prepare: () => {},
    guards: { ...allGuards, hasOwnObjects: false },
    isNoticed: isAdded(/^\.git\/objects\//),
  },
  {
    name: 'another index in the clone',
    prepare: () => {},
    guards: { ...allGuards, hasOwnIndex: false },
    isNoticed: isAdded(/^\.git\/index /),
  },
  {
    name: 'refs and packs in the clone',
    prepare: () => {},
    guards: { ...allGuards, fetchesIntoStore: false },
    isNoticed: (_, added) =>
      added.some((line) => /^\.git\/refs\/headsup\//.test(line)) && added.some((line) => /\.pack /.test(line)),
  },
  {
    name: 'a list of what was fetched, in the clone',
    prepare: () => {},
    guards: {
      ...allGuards,
      fetchesIntoStore: false,
      fetchOptions: allGuards.fetchOptions.filter((option) => option !== '--no-write-fetch-head'),
    },
    isNoticed: isAdded(/^\.git\/FETCH_HEAD /),
  },
  {
    name: 'a list of commits without parents, in the clone',
    prepare: () => {},
    guards: { ...allGuards, fetchesIntoStore: false, fetchOptions: [...allGuards.fetchOptions, '--depth=1'] },
    isNoticed: isAdded(/^\.git\/shallow /),
  },
  {
    name: 'a merge driver of the user, on the text of strangers',
    prepare(clone) {
      writeFileSync(join(clone.home, 'attributes'), '* merge=evil\n')
      clone.git('config', '--global', 'core.attributesFile', join(clone.home, 'attributes'))
      clone.git('config', '--global', 'merge.evil.driver', `${clone.trap('driver')} %A`)
    },
    guards: { ...allGuards, attributes: '', isolation: {} },
    isNoticed: (clone) => clone.ran().some((line) => line.startsWith('driver')),
  },
]

describe('a try in a hostile clone', () => {
  it.for(attacks)('prevents $name', async ({ prepare, guards, isNoticed }) => {
    const trying = async (chosen: Guards) => {
      const clone = scene.clone()
      prepare(clone)
      clone.write('a.txt', lines({ 5: 'mine' }))
      clone.write('new.txt', 'mine\n')
      const before = new Set(clone.listing())
      const { byNumber } = await clone.try([1], chosen)
      const after = clone.listing()
      return { clone, added: after.filter((line) => !before.has(line)), result: byNumber[1] }
    }
    const guarded = await trying(allGuards)
    expect(guarded.result?.merge).toBe('conflicts')
    expect({ ran: guarded.clone.ran(), added: guarded.added }).toEqual({ ran: [], added: [] })
    const open = await trying(guards)
    expect(isNoticed(open.clone, open.added)).toBe(true)
  })

  it('runs nothing that any setting names, whatever the attributes of a pull request say', async () => {
    const clone = scene.clone()
    const trap = clone.trap('program')
    const names = [
      ...[
        'core.fsmonitor',
        'core.alternateRefsCommand',
        'core.askPass',
        'core.pager',
        'core.editor',
        'core.sshCommand',
      ],
      ...[
        'diff.external',
        'diff.evil.command',
        'diff.evil.textconv',
        'merge.evil.driver',
        'gpg.program',
        'pager.status',
      ],
      ...['credential.helper', 'filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'core.gitProxy'],
      ...['uploadpack.packObjectsHook', 'sequence.editor', 'alias.status', 'alias.fetch', 'alias.merge-tree'],
    ]
    for (const name of names) clone.git('config', name, trap)
    const others = {
      'merge.default': 'evil',
      'merge.renormalize': 'true',
      'filter.evil.required': 'true',
      'commit.gpgSign': 'true',
      'fetch.recurseSubmodules': 'true',
      'fetch.prune': 'true',
      'fetch.writeCommitGraph': 'true',
      'gc.auto': '1',
      'core.splitIndex': 'true',
      'core.untrackedCache': 'true',
      'submodule.recurse': 'true',
      'core.logAllRefUpdates': 'always',
      'remote.origin.fetch': '+refs/pull/*/head:refs/remotes/origin/pr/*',
    }
    for (const [name, value] of Object.entries(others)) clone.git('-c', 'core.fsmonitor=', 'config', name, value)
    mkdirSync(join(clone.top, '.git/hooks'), { recursive: true })
    for (const hook of [
      'post-index-change',
      'reference-transaction',
      'pre-auto-gc',
      'post-merge',
      'fsmonitor-watchman',
    ]) {
      writeFileSync(join(clone.top, '.git/hooks', hook), readFileSync(trap), { mode: 0o755 })
    }
    clone.write('.gitattributes', 'b.txt filter=evil\n* diff=evil merge=evil\n')
    clone.write('a.txt', lines({ 5: 'mine' }))
    const before = clone.listing()
    const { byNumber } = await clone.try([15, 11])
    expect(byNumber[15]?.merge_paths).toContain('a.txt')
    expect(byNumber[11]?.merge).toBe('clean')
    expect(clone.ran()).toEqual([])
    expect(clone.listing()).toEqual(before)
  })

  it('lets git update no ref of the clone, even where a hook ran', async () => {
    const trying = async (guards: Guards) => {
      const clone = scene.clone()
      const hook = clone.trap('hook')
      writeFileSync(hook, `#!/bin/sh\necho hook >>'${clone.home}/ran'\ngit update-ref refs/heads/evil HEAD\n`)
      mkdirSync(join(clone.top, '.git/hooks'), { recursive: true })
      writeFileSync(join(clone.top, '.git/hooks/post-index-change'), readFileSync(hook), { mode: 0o755 })
      clone.write('a.txt', lines({ 5: 'mine' }))
      await clone.try([1], guards)
      return { ran: clone.ran().length > 0, hasRef: existsSync(join(clone.top, '.git/refs/heads/evil')) }
    }
    const runsHooks = without('clone', 'core.hooksPath')
    expect(await trying(runsHooks)).toEqual({ ran: true, hasRef: false })
    expect(await trying({ ...runsHooks, isQuarantined: false })).toEqual({ ran: true, hasRef: true })
  })

  it('reads files whose ends of lines a setting refuses', async () => {
    const trying = async (guards: Guards) => {
      const clone = scene.clone()
      clone.git('config', 'core.autocrlf', 'input')
      clone.git('config', 'core.safecrlf', 'true')
      clone.write('a.txt', lines({ 5: 'mine' }, '\r\n'))
      return (await clone.try([1], guards)).byNumber[1]
    }
    expect(await trying(allGuards)).toMatchObject({ merge: 'conflicts' })
    expect(await trying(without('clone', 'core.safecrlf'))).toMatchObject({ merge_reason: 'failed' })
  })

  it('sees a change of the same size in a file that is as new as the index', async () => {
    const clone = scene.clone()
    clone.git('config', 'core.trustctime', 'false')
    const then = new Date(Date.now() - 60_000)
    const write = (content: string) => {
      clone.write('a.txt', content)
      utimesSync(join(clone.top, 'a.txt'), then, then)
    }
    write(lines())
    clone.git('update-index', '--refresh')
    utimesSync(join(clone.top, '.git/index'), then, then)
    write(lines({ 5: 'line X' }))
    expect((await clone.try([1])).byNumber[1]?.merge).toBe('conflicts')
  })

  it('does not tell the conflict of a file with a filter, and does not call it clean', async () => {
    const clone = scene.clone()
    clone.git('config', 'filter.some.clean', 'cat')
    writeFileSync(join(clone.top, '.git/info/attributes'), 'a.txt filter=some\n')
    clone.write('a.txt', lines({ 5: 'mine' }))
    clone.git('commit', '-qam', 'mine')
    const { byNumber } = await clone.try([1, 3])
    expect(byNumber[1]).toMatchObject({ merge: 'not_tried', merge_reason: 'filter' })
    expect(byNumber[3]).toMatchObject({ merge: 'clean' })
  })

  it('does not need the repository or the index that a hook of git names in its variables', async () => {
    const clone = scene.clone()
    clone.write('a.txt', lines({ 5: 'mine' }))
    const { terminal } = clone.question([])
    const elsewhere = join(clone.home, 'nothing')
    const named = [
      'GIT_DIR',
      'GIT_INDEX_FILE',
      'GIT_WORK_TREE',
      'GIT_OBJECT_DIRECTORY',
      'GIT_TRACE2_EVENT',
      'GIT_TRACE_CURL',
    ]
    const env = { ...terminal.env, ...Object.fromEntries(named.map((name) => [name, elsewhere])) }
    const { byNumber } = await clone.try([1], allGuards, { terminal: { ...terminal, env } })
    expect(byNumber[1]?.merge).toBe('conflicts')
    expect(existsSync(elsewhere)).toBe(false)
  })
})

const hasLfs = spawnSync('git', ['lfs', 'version']).status === 0

describe.skipIf(!hasLfs)('a try in a clone with Git LFS (skipped where it is not installed)', () => {
  function lfsClone(): TestClone {
    const clone = scene.clone()
    const commands = { clean: 'git-lfs clean -- %f', smudge: 'git-lfs smudge -- %f', process: 'git-lfs filter-process' }
    for (const [name, command] of Object.entries(commands)) clone.git('config', `filter.lfs.${name}`, command)
    clone.write('.gitattributes', 'data.bin filter=lfs diff=lfs merge=lfs -text\n')
    clone.write('data.bin', 'one\n')
    clone.git('add', '-A')
    clone.git('commit', '-qm', 'lfs')
    clone.write('a.txt', lines({ 5: 'mine' }))
    writeNewerThanIndex(clone, 'data.bin', 'two\n')
    return clone
  }

  it('writes no large object, and does not say that such a file merges', async () => {
    const clone = lfsClone()
    const before = clone.listing()
    const { byNumber } = await clone.try([1, 14])
    expect(byNumber[1]?.merge).toBe('conflicts')
    expect(byNumber[14]).toMatchObject({ merge: 'not_tried', merge_reason: 'filter' })
    expect(clone.listing()).toEqual(before)
  })

  it('would write one without the guard', async () => {
    const clone = lfsClone()
    const before = new Set(clone.listing())
    await clone.try([1], { ...allGuards, filter: {} })
    expect(clone.listing().filter((line) => !before.has(line) && /^\.git\/lfs\/objects\//.test(line))).not.toEqual([])
  })
})
