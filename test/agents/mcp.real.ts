import { describe, expect, it } from 'vitest'
import { kinds, runSession } from './real-agent.ts'
import { prepareStage, type Stage } from './stage.ts'
import { told } from './told.ts'
import { chosenAgents } from './versions.ts'

let stage: Stage
prepareStage((prepared) => {
  stage = prepared
})

describe.each(chosenAgents)('%s by MCP', (name) => {
  it('connects as the documents say, finds the tools, checks, and starts work', async () => {
    const { repository, desk: open, colleague, workOn } = await stage.open()
    const desk = open('Bob')
    const { mcp } = kinds[name]
    const work = { branch: desk.branch, base_branch: 'main', scope: { paths: ['src/a.ts'] } }
    const where = { repository: `${repository.owner}/${repository.name}`, ...work }
    const start = { ...where, title: 'By MCP', summary: 'By MCP.', actor: 'Bob' }
    const script = [
      ...(mcp.search.length > 0 ? [mcp.search] : []),
      [{ name: `${mcp.prefix}check_overlap`, args: where }],
      [{ name: `${mcp.prefix}start_activity`, args: start }],
    ]
    const session = await runSession(
      desk,
      name,
      script.map((calls) => ({ calls })),
      {
        async afterSetup(program, env) {
          const added = await desk.run(program, mcp.add(`${stage.url}/mcp`, repository.writer), env)
          expect(added.code, added.err).toBe(0)
        },
      },
    )
    expect({ code: session.code, turns: session.model.requests.length }, session.err).toEqual({
      code: 0,
      turns: script.length + 1,
    })
    const checked = session.model.requests.at(-2)
    expect(told(checked, colleague).length).toBeGreaterThan(0)
    expect(await workOn(desk.branch)).toMatchObject([{ title: 'By MCP', status: 'active' }])
  })
})
