import { isSatisfiedBy } from '../../dynamodb/model/constraints.js'
import { MODEL, type OperationName } from '../../dynamodb/model/operations.js'
import type { ModelShape } from '../../dynamodb/model/shapes.js'

/** The key of the only entry in every map of a sample; some maps use it as a table name. */
export const SAMPLE_KEY = 'sample'

/**
 * Creates a request with a valid value for every member of the model, at every depth. The service may reject the
 * combination of members, but not their shape.
 */
export function sampleRequest(operation: OperationName): Record<string, unknown> {
  return sampleValue(MODEL[operation]) as Record<string, unknown>
}

/** A valid value of a shape, with all of its members. */
export function sampleValue(shape: ModelShape): unknown {
  switch (shape.kind) {
    case 'structure':
      return Object.fromEntries(Object.entries(shape.members).map(([name, member]) => [name, sampleValue(member)]))
    case 'list':
      return [sampleValue(shape.element)]
    case 'map':
      return { [SAMPLE_KEY]: sampleValue(shape.value) }
    case 'attributeValue':
      return { S: SAMPLE_KEY }
    case 'integer':
    case 'long':
    case 'double':
      return 1
    case 'timestamp':
      return new Date(0)
    case 'boolean':
      return true
    case 'blob':
      return new Uint8Array([1, 2, 3])
    default:
      return sampleText(shape)
  }
}

function sampleText({ constraints }: ModelShape): string {
  const values = constraints.filter(constraint => constraint.kind === 'enum')
  const commonValue = values[0]?.values.find(value => values.every(other => other.values.includes(value)))
  if (commonValue !== undefined) return commonValue
  const minimum = constraints.find(constraint => constraint.kind === 'min')
  const sampleText = SAMPLE_KEY.padEnd(minimum?.kind === 'min' ? minimum.limit : 0, 'e')
  const fits = (value: string) => constraints.every(constraint => isSatisfiedBy(constraint, value))
  return [sampleText, ...OTHER_TEXTS].find(fits) ?? sampleText
}

/** For patterns that no name satisfies: a separator, the number of an account, and a token of ListImports. */
const OTHER_TEXTS = [',', '123456789012', '0'.repeat(112)]
