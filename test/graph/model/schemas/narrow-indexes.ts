import fc from 'fast-check'
import { INDEX_INCLUDED_ATTRIBUTES } from '../../../../src/dynamodb/limits.js'
import { layout } from '../../../../src/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import type { LayoutOptions } from '../../../../src/layout/options.js'
import { storedSlots } from '../../../../src/layout/slots.js'
import { Choice } from '../runner/random-choice.js'
import { anySchema, anyStreamedSchema, type Schema } from './random-schemas.js'

/** Graphs whose indexes project only keys, or keys and some attributes. */
const narrow = (schemas: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc.tuple(schemas, fc.noShrink(fc.nat())).map(([schema, seed]) => {
    const indexes = narrowIndexes(schema, new Choice(seed))
    const told = `${schema[fc.toStringMethod]()} ${JSON.stringify(indexes)}`
    const made = layout(schema.graph, { indexes } as never) as Layout
    return { ...schema, layout: made, [fc.toStringMethod]: () => told }
  })

export const anyNarrowSchema = narrow(anySchema)
export const anyNarrowStreamedSchema = narrow(anyStreamedSchema)

function narrowIndexes({ graph }: Schema, choice: Choice): NonNullable<LayoutOptions['indexes']> {
  const { kinds, names, design } = layout(graph) as Layout
  const stored = new Set(kinds.flatMap(({ type }) => storedSlots(type).map(slot => names.attributeOf(type, slot))))
  const ours = design.indexes.filter(({ name }) => /^[GL]SI/.test(name))
  const entries = ours.map(({ name, kind, partition: [partition], sort: [sort] }) => {
    const some = choice.some([...stored, names.type, names.etag], 0.4).slice(0, INDEX_INCLUDED_ATTRIBUTES)
    const project = some.length === 0 || choice.chance(0.5) ? ('keys' as const) : some
    return [name, { keys: [partition!, sort!], kind, project }] as const
  })
  return Object.fromEntries(entries)
}
