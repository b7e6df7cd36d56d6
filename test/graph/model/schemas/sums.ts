import type fc from 'fast-check'
import { type EndChoices, type Schema, type SchemaChoices, schemaChoices, schemaOf } from './random-schemas.js'

/** An end with sums as its only aggregates, which can be 0 while there are edges. */
const summed = (end: EndChoices): EndChoices => ({ ...end, sum: true, count: false, embed: false })

const ledgerOf = (choices: SchemaChoices): SchemaChoices => ({
  ...choices,
  nodes: choices.nodes.slice(0, 2),
  edges: choices.edges.map(edge => ({ ...edge, a: summed(edge.a), b: summed(edge.b) })),
})

/** Graphs whose nodes have sums, and no counters that would show whether they have edges. */
export const anyLedgerSchema: fc.Arbitrary<Schema> = schemaChoices(false)
  .map(choices => schemaOf(ledgerOf(choices)))
  .filter((made): made is Schema => made.graph !== undefined)
