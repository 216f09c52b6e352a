import { tags } from '../openapi/document.ts'
import { tagOf } from '../openapi/operation-object.ts'
import { allOperations } from '../routes/api.ts'

/** The operations by their groups, in the order of the document. */
export function operationGroups() {
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      id: name.toLowerCase(),
      operations: allOperations.filter((route) => tagOf(route) === name),
    }))
    .filter(({ operations }) => operations.length > 0)
}
