import fc from 'fast-check'
import { GraphError, layout } from '../../../../src/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { assertLayout } from '../../../../src/layout/proof/layout-proof.js'
import { anySchema, type Schema } from './random-schemas.js'

/** Random graphs in a table without a sort key, excluding items in the partition of another item. */
export const anySortlessSchema: fc.Arbitrary<Schema> = anySchema
  .map(schema => {
    const told = `${schema[fc.toStringMethod]()} without a sort key`
    return { ...schema, layout: sortless(schema), [fc.toStringMethod]: () => told }
  })
  .filter(({ layout }) => layout !== undefined)

function sortless({ graph }: Schema): Layout | undefined {
  try {
    const made = layout(graph, { table: { keys: ['key'] } }) as Layout
    assertLayout(made)
    return made
  } catch (error) {
    if (error instanceof GraphError && /^(path.way|layout.native)$/.test(error.code)) return undefined
    throw error
  }
}
