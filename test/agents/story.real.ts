import { describe, expect, it } from 'vitest'
import { startProxy } from '../support/service-proxy.ts'
import type { Desk } from './desk.ts'
import type { ModelRequest } from './model/model.ts'
import { callsOf, kinds, patient, runSession, type Session } from './real-agent.ts'
import { prepareStage, type Stage } from './stage.ts'
import { told as toldIn } from './told.ts'
import { type AgentName, chosenAgents } from './versions.ts'

let stage: Stage
prepareStage((prepared) => {
  stage = prepared
})

/** Our own texts in a request of the model that contain these words. */
function told(request: ModelRequest | undefined, words: string): string[] {
  return toldIn(request, words).filter((text) => text.includes('Headsup'))
}

async function install(desk: Desk, ...names: string[]): Promise<void> {
  for (const name of names) expect(await desk.headsup('hook', 'install', name)).toMatchObject({ code: 0, err: '' })
}

/** Expects that the agent did all that its script says, and ended well. */
function expectWell({ code, err, model }: Session, turns: number): void {
  expect({ code, turns: model.requests.length }, err).toEqual({ code: 0, turns: turns + 1 })
}

const collision = /Headsup, high severity\..*“Carol”.*touching your line 11.*You have just edited there: tell the user/s

describe.each(chosenAgents)('a session of %s', (name: AgentName) => {
  it('is briefed in its first request, told of a collision with the result of its edit, and of nothing elsewhere', async () => {
    const { desk: open, colleague, workOn } = await stage.open()
    const desk = open('Bob')
    await install(desk, name)
    const { read, editLine, shell } = callsOf(desk, name)
    const script = [[read('src/a.ts')], [editLine('src/a.ts', 11)], [editLine('src/far.ts', 20)], [shell('true')]]
    const session = await runSession(
      desk,
      name,
      script.map((calls) => ({ calls })),
      { env: patient },
    )
    expectWell(session, script.length)
    const [first, beforeEdit, afterEdit, afterFar] = session.model.requests
    expect(told(first, 'is recorded as act_')).toHaveLength(1)
    expect(told(first, 'Open: 1 recorded.')).toHaveLength(1)
    expect(told(beforeEdit, 'high severity')).toEqual([])
    const [text, ...others] = told(afterEdit, colleague)
    expect(text).toMatch(collision)
    expect(others).toEqual([])
    expect(told(afterFar, 'far.ts')).toEqual([])
    expect(told(session.model.requests.at(-1), colleague)).toEqual([text])
    expect(desk.git('diff', '--numstat', '--', 'src')).toBe('1\t1\tsrc/a.ts\n1\t1\tsrc/far.ts\n')
    const [recorded, ...more] = await workOn(desk.branch)
    expect(more).toEqual([])
    expect(recorded).toMatchObject({
      ...{ status: 'active', agent: kinds[name].agent, actor: 'Bob', title: expect.stringContaining(desk.branch) },
      changes: {
        files: [
          { path: 'src/a.ts', status: 'modified', lines: [[11, 11]] },
          { path: 'src/far.ts', status: 'modified', lines: [[20, 20]] },
        ],
      },
    })
  })

  it('that changes nothing leaves no live work', async () => {
    const { desk: open, workOn } = await stage.open()
    const desk = open('Bob')
    await install(desk, name)
    expectWell(await runSession(desk, name, [{ calls: [callsOf(desk, name).read('src/a.ts')] }], { env: patient }), 1)
    const works = await workOn(desk.branch)
    expect(works.map(({ status }) => status)).toEqual(['archived'])
  })

  it.each([
    ['is away', async () => ({ url: 'http://127.0.0.1:9' })],
    ['refuses the token', async () => ({ token: 'ghp_expired' })],
    [
      'responds after three seconds',
      async () => ({
        url: await startProxy(stage, undefined, async () => {
          await new Promise((resolve) => setTimeout(resolve, 3_000))
          return undefined
        }),
      }),
    ],
  ])('whose service %s makes all edits, and its model reads nothing of it', async (_, broken) => {
    const { desk: open, colleague } = await stage.open()
    const desk = open('Bob', await broken())
    await install(desk, name)
    const { editLine, shell } = callsOf(desk, name)
    const script = [[editLine('src/a.ts', 11)], [editLine('src/a.ts', 20)], [shell('true')]]
    const session = await runSession(
      desk,
      name,
      script.map((calls) => ({ calls })),
    )
    expectWell(session, script.length)
    expect(desk.git('diff', '--numstat', '--', 'src')).toBe('2\t2\tsrc/a.ts\n')
    expect(told(session.model.requests.at(-1), 'could not check')).toEqual([])
    expect(told(session.model.requests.at(-1), colleague)).toEqual([])
  })
})
