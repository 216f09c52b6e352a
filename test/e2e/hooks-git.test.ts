import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareClones, startedChanges } from '../support/clones.ts'
import { type Clone, newDirectory } from '../support/command-line.ts'
import type { TestRepository } from '../support/service.ts'
import { hasSavedFailure, runUntilGivenUp, startSilentService } from '../support/silent-service.ts'

let repository: TestRepository
let alice: Clone

prepareClones((stage) => {
  repository = stage.repository
  alice = stage.clone('Alice')
})

const hook = (name: string) => join(alice.path, '.git/hooks', name)

function script(file: string, text: string, mode = 0o755) {
  alice.write(file, text)
  chmodSync(join(alice.path, file), mode)
}

/** Adds a remote to push to, since `origin` is on GitHub. */
function addPushRemote() {
  const path = newDirectory()
  alice.git('init', '-q', '--bare', path)
  alice.git('remote', 'add', 'backup', path)
}

describe('the git hooks', () => {
  it('print each collision of a branch that is checked out or pushed once', async () => {
    const body = { title: 'Other', summary: 'Other.', actor: 'Bob', branch: 'other', scope: { paths: ['src/**'] } }
    await repository.created('/activity', body)
    addPushRemote()
    alice.git('checkout', '-q', '-b', 'feat/login')
    alice.write('src/auth/login.ts')
    alice.commit()
    alice.git('checkout', '-q', 'main')
    await alice.headsup(['hook', 'install', 'git'])
    const back = await alice.shell('git checkout -q feat/login')
    expect(back).toMatchObject({
      code: 0,
      err: expect.stringMatching(/“Other” on branch “other”, .*What to do next:/s),
    })
    expect(back.err).not.toContain('act_')
    // It was told at the checkout.
    const push = 'git push -q backup feat/login'
    expect(await alice.shell(push)).toEqual({ code: 0, out: '', err: '' })
    await repository.created('/activity', { ...body, title: 'New', branch: 'new' })
    alice.git('commit', '-q', '--allow-empty', '-m', 'Again')
    const again = await alice.shell(push)
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('“New” on branch “new”') })
    expect(again.err).not.toMatch(/“Other”|to do next/)
    const noBranch = 'git tag v1 && git push -q backup v1 && git push -q backup --delete feat/login'
    expect(await alice.shell(noBranch)).toMatchObject({ code: 0, err: '' })
    const files = await alice.shell('git checkout -q -- README.md')
    expect(files).toMatchObject({ code: 0, err: '' })
  })

  it('send a heartbeat of the work of the branch, with its changes', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    await alice.headsup(['start'])
    await alice.headsup(['hook', 'install', 'git'])
    addPushRemote()
    alice.write('src/new.ts')
    alice.commit()
    expect(await alice.shell('git push -q backup feat/login')).toMatchObject({ code: 0, err: '' })
    const { items } = await repository.page('/activity')
    expect(items).toMatchObject([{ heartbeat_at: expect.any(String), scope: { paths: [] }, scope_changed: ['src'] }])
  })

  it('keep the named paths where only the areas were changed since', async () => {
    alice.git('checkout', '-q', '-b', 'feat/login')
    await alice.headsup(['start', 'src/auth'])
    await alice.headsup(['update', '--area', 'billing'])
    alice.write('new.txt')
    const places = async () => {
      expect(await alice.headsup(['hook', 'git', 'pre-push'])).toEqual({ code: 0, out: '', err: '' })
      return (await repository.page('/activity')).items.map(({ scope, scope_changed }) => [scope, scope_changed])
    }
    expect(await places()).toEqual([[{ areas: ['billing'], paths: ['src/auth/**'] }, ['.']]])
    await alice.headsup(['update', '--changed', '--area', 'auth'])
    alice.git('clean', '-q', '-f')
    expect(await places()).toEqual([[{ areas: ['auth'], paths: [] }, []]])
  })

  it('print one line and let git continue where the service does not respond', async () => {
    const silent = await startSilentService()
    await alice.headsup(['hook', 'install', 'git'])
    addPushRemote()
    const at = `HEADSUP_URL=${silent.url}`
    const slow = await runUntilGivenUp(
      (limit) => alice.shell(`${at} HEADSUP_HOOK_LIMIT_MS=${limit.HEADSUP_HOOK_LIMIT_MS} git checkout -q -B feat/slow`),
      () => hasSavedFailure(alice, silent),
    )
    expect(slow).toMatchObject({ code: 0, err: expect.stringMatching(/^Headsup could not check: .*\n$/) })
    // After a failure there is no other try within a minute.
    const tries = silent.requests()
    expect(await alice.shell(`${at} git push -q backup feat/slow`)).toMatchObject({ code: 0, err: '' })
    expect(silent.requests()).toBe(tries)
    silent.stop()
  })

  it('take the 502 of a proxy for a service that is away, as commands do, and do not try again within a minute', async () => {
    const proxy = createServer((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('Bad Gateway'),
    )
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const away = `${url} responded with 502 in place of Headsup, which is down or not reached by the proxy there.`
    await alice.headsup(['hook', 'install', 'git'])
    addPushRemote()
    const first = await alice.shell(`HEADSUP_URL=${url} HEADSUP_HOOK_LIMIT_MS=25000 git checkout -q -B feat/away`)
    expect(first).toMatchObject({ code: 0, err: `Headsup could not check: ${away}\n` })
    expect(await alice.shell(`HEADSUP_URL=${url} git push -q backup feat/away`)).toMatchObject({ code: 0, err: '' })
    const command = (name: string) => alice.headsup([name, '--url', url])
    expect(await command('check')).toMatchObject({ code: 3, err: `headsup: ${away}\n` })
    expect(await command('doctor')).toMatchObject({ code: 3, out: expect.stringContaining(away) })
  })

  it('print nothing on a detached head, and without a remote on GitHub', async () => {
    await alice.headsup(['hook', 'install', 'git'])
    expect(await alice.shell('git checkout -q --detach')).toEqual({ code: 0, out: '', err: '' })
    alice.git('remote', 'remove', 'origin')
    expect(await alice.shell('git checkout -q main')).toEqual({ code: 0, out: '', err: '' })
  })
})

describe('installing the git hooks', () => {
  it('keeps an existing shell script with its arguments and stdin, changes nothing the second time, and can be undone', async () => {
    const before = '#!/usr/bin/env bash\necho "mine $1 $(cat)"\n'
    script('.git/hooks/pre-push', before)
    addPushRemote()
    expect(await alice.headsup(['hook', 'install', 'git'])).toMatchObject({ code: 0 })
    const installed = readFileSync(hook('pre-push'), 'utf8')
    expect((await alice.headsup(['hook', 'install', 'git'])).out.match(/already/g)).toHaveLength(2)
    expect(readFileSync(hook('pre-push'), 'utf8')).toBe(installed)
    const push = await alice.shell('git push -q backup main')
    expect(push.out).toMatch(/^mine backup refs\/heads\/main [0-9a-f]+ refs\/heads\/main 0+$/m)
    await alice.headsup(['hook', 'uninstall', 'git'])
    expect(readFileSync(hook('pre-push'), 'utf8')).toBe(before)
    expect(existsSync(hook('post-checkout'))).toBe(false)
  })

  it('keeps a hook that is not a shell script, and its exit status', async () => {
    script(
      '.git/hooks/pre-push',
      '#!/usr/bin/env node\nprocess.stdin.on("data", (d) => console.log("mine", String(d))).on("end", () => process.exit(7))\n',
    )
    script('tools/hook', '#!/bin/sh\necho linked\n')
    symlinkSync('../../tools/hook', hook('post-checkout'))
    addPushRemote()
    await alice.headsup(['hook', 'install', 'git'])
    await alice.headsup(['hook', 'install', 'git'])
    expect(await alice.shell('git push -q backup main')).toMatchObject({
      code: 1,
      out: expect.stringContaining('mine refs/heads/main'),
    })
    expect((await alice.shell('git checkout -q -b b')).out + (await alice.shell('git checkout -q main')).err).toContain(
      'linked',
    )
    await alice.headsup(['hook', 'uninstall', 'git'])
    expect(readFileSync(hook('pre-push'), 'utf8')).toContain('exit(7)')
    expect(existsSync(`${hook('pre-push')}.before-headsup`)).toBe(false)
  })

  it('does not activate a hook that git ignores', async () => {
    script('.git/hooks/post-checkout', '#!/bin/sh\necho dead\n', 0o644)
    await alice.headsup(['hook', 'install', 'git'])
    expect(await alice.shell('git checkout -q -b b')).toMatchObject({ code: 0, out: '' })
  })

  it('follows core.hooksPath, and uses the scripts of husky', async () => {
    alice.git('config', 'core.hooksPath', 'githooks')
    await alice.headsup(['hook', 'install', 'git'], { cwd: 'src' })
    expect(existsSync(join(alice.path, 'githooks/pre-push'))).toBe(true)
    script('.husky/_/h', '')
    script('.husky/pre-push', 'npm test\n', 0o644)
    alice.git('config', 'core.hooksPath', '.husky/_')
    await alice.headsup(['hook', 'install', 'git'])
    expect(readFileSync(join(alice.path, '.husky/pre-push'), 'utf8')).toMatch(/hook git pre-push.*npm test\n$/s)
    expect(existsSync(join(alice.path, '.husky/_/pre-push'))).toBe(false)
    await alice.headsup(['hook', 'uninstall', 'git'])
    expect(readFileSync(join(alice.path, '.husky/pre-push'), 'utf8')).toBe('npm test\n')
  })

  it('does not count as a change where it replaces a committed hook, until somebody changes that hook', async () => {
    script('hooks/pre-push', '#!/usr/bin/env node\n')
    script('tools/hook', '#!/bin/sh\n')
    symlinkSync('../tools/hook', join(alice.path, 'hooks/post-checkout'))
    alice.commit()
    alice.git('push', '-q', '.', 'HEAD:refs/remotes/origin/main')
    alice.git('config', 'core.hooksPath', 'hooks')
    await alice.headsup(['hook', 'install', 'git'])
    const changed = () => startedChanges(alice, repository)
    expect(await changed()).toEqual([])
    script('hooks/pre-push.before-headsup', '#!/usr/bin/env node\nconsole.log(1)\n')
    expect(await changed()).toEqual(['hooks/pre-push', 'hooks/pre-push.before-headsup'])
    alice.commit()
    alice.git('push', '-q', '--no-verify', '.', 'HEAD:refs/remotes/origin/main')
    expect(await changed()).toEqual([])
    await alice.headsup(['hook', 'uninstall', 'git'])
    expect(await changed()).toEqual([])
  })
})
