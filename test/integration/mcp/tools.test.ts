import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../src/http/router.ts'
import { instructions } from '../../../src/mcp/instructions.ts'
import { tools } from '../../../src/mcp/tools.ts'
import { connectModel, eras } from '../../support/mcp.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const bytes = (text: string | undefined) => Buffer.byteLength(text ?? '')

describe('the list of tools', () => {
  it('has a tool for every operation of the API, each once', () => {
    expect(tools.map(({ route }) => route.operationId).sort()).toEqual(
      routes.map(({ operationId }) => operationId).sort(),
    )
  })

  describe.each(eras)('in generation %s', (era) => {
    it('is the same for everybody and each time, with instructions that no client cuts', async () => {
      const repository = service.newRepository()
      const one = await connectModel(service.url, repository.writer, era)
      const other = await connectModel(service.url, repository.stranger, era)
      const list = await one.client.listTools()
      expect((await other.client.listTools()).tools).toEqual(list.tools)
      expect((await one.client.listTools()).tools).toEqual(list.tools)
      expect(one.client.getInstructions()).toBe(instructions)
      expect(bytes(instructions)).toBeLessThan(2000)
      await one.close()
      await other.close()
    })
  })
})
