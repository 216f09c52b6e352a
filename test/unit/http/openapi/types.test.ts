import { describe, expect, it } from 'vitest'
import { typesAndDocument, writeCommand, writeTypes } from '../../../support/openapi-types.ts'

describe('the types of the OpenAPI document', () => {
  it.runIf(process.env.WRITE_OPENAPI_TYPES)('are written if WRITE_OPENAPI_TYPES is set', () => writeTypes(), 120_000)

  it('match the current document', async () => {
    const { made, today } = await typesAndDocument()
    expect(made, `The document has changed. Write its types again: ${writeCommand}`).toBe(today)
  })
})
