import { join } from 'node:path'
import { expect } from 'vitest'
import { prepareClones } from '../support/clones.ts'
import type { Clone } from '../support/command-line.ts'
import type { TestRepository, TestService } from '../support/service.ts'
import { startProxy } from '../support/service-proxy.ts'

export const session = { session_id: 's1', transcript_path: '/tmp/t.jsonl', permission_mode: 'default' }

/** For each test a clone of Alice on a branch, and functions that run the hooks of Claude Code in it. Called once in a file. */
export function useClaude() {
  let service: TestService
  let repository: TestRepository
  let alice: Clone

  prepareClones((stage) => {
    ;({ service, repository } = stage)
    alice = stage.clone('Alice', { branch: 'feat/login' })
  })

  /** Runs the hook with an event. Expects status 0, and nothing or one JSON value on stdout. */
  async function runHook(name: string, more: object = {}, env: Record<string, string> = {}) {
    const event = { ...session, cwd: alice.path, hook_event_name: name, ...more }
    const { code, out, err } = await alice.headsup(['hook', 'claude'], { input: JSON.stringify(event), env })
    expect(code).toBe(0)
    expect(out).not.toContain('permissionDecision')
    return { output: out === '' ? undefined : JSON.parse(out), err }
  }

  const edit = (file: string, more: object = {}) => ({
    tool_name: 'Edit',
    tool_input: { file_path: join(alice.path, file), old_string: 'a', new_string: 'b' },
    tool_use_id: 'toolu_1',
    ...more,
  })

  async function live() {
    return (await repository.page('/activity')).items
  }

  async function otherWork(paths: string[]) {
    return repository.created('/activity', {
      title: 'Other',
      summary: 'Other.',
      actor: 'Bob',
      branch: 'other',
      scope: { paths },
    })
  }

  /** A proxy of the service. Requests with this method wait until they are released. */
  async function holdRequests(method: string) {
    let release = () => {}
    const free = new Promise<void>((resolve) => (release = resolve))
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const url = await startProxy(service, method, async () => {
      arrive()
      await free
      return undefined
    })
    return { url, arrived, release }
  }

  return {
    get service() {
      return service
    },
    get repository() {
      return repository
    },
    get alice() {
      return alice
    },
    ...{ runHook, edit, live, otherWork, holdRequests },
  }
}
