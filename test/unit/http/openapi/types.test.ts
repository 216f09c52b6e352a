import { describe, expect, it } from 'vitest'
import { typesAndDocument, writeCommand, writeTypes } from '../../../support/openapi-types.ts'

describe('the types of the document', () => {
  it.runIf(process.env.WRITE_OPENAPI_TYPES)('are written anew where that is asked for', () => writeTypes(), 120_000)

  it('are those of the document of today', async () => {
    const { made, today } = await typesAndDocument()
    expect(made, `The document has changed. Make its types anew: ${writeCommand}`).toBe(today)
  })
})
