import fc from 'fast-check'
import { placeOf } from '../reference/identity.js'
import type { Write } from '../reference/model.js'
import { type Command, Commands } from '../runner/commands.js'
import { anyRow, Crowded } from '../runner/random-values.js'
import { type EndChoices, type Schema, type SchemaChoices, schemaOf } from './random-schemas.js'

const rarely = fc.nat({ max: 4 }).map(drawn => drawn === 4)
const mostly = fc.nat({ max: 4 }).map(drawn => drawn < 3)

const ends: fc.Arbitrary<EndChoices> = fc.record({
  as: fc.constantFrom(undefined, undefined, 'adjacent' as const, 'index' as const, 'mirror' as const, 'local' as const),
  order: fc.constantFrom('default' as const, 'since' as const, 'weight and end' as const),
  shards: fc.constantFrom(1, 1, 2),
  count: mostly,
  sum: rarely,
  embed: mostly,
  carry: fc.constantFrom('nothing' as const, 'born' as const, 'id' as const),
  onDelete: fc.constantFrom('leave' as const, 'leave' as const, 'cascade' as const, 'refuse' as const),
  second: fc.constantFrom('none' as const, 'alike' as const, 'by transaction' as const),
  fed: fc.constant(true),
})

/** A few types with every kind of item that one write can touch. */
const choices: fc.Arbitrary<SchemaChoices> = fc.record({
  tenant: fc.constant(false),
  nodes: fc.array(
    fc.record({
      id: fc.constantFrom('text' as const, 'text' as const, 'several' as const),
      sizeOptional: fc.boolean(),
      unique: mostly,
      paths: fc.subarray(['place' as const, 'tagged' as const, 'best' as const], { maxLength: 1 }),
      byOwner: fc.boolean(),
      shards: fc.constant(1),
      stored: rarely,
      computed: rarely,
    }),
    { minLength: 1, maxLength: 2 },
  ),
  owned: fc.nat({ max: 1 }),
  edges: fc.array(
    fc.record({
      from: fc.nat({ max: 1 }),
      to: fc.nat({ max: 1 }),
      key: fc.constantFrom([], [], ['kind' as const]),
      one: fc.constantFrom(undefined, undefined, 'a' as const, 'b' as const),
      undirected: rarely,
      a: ends,
      b: ends,
      max: fc.integer({ min: 1, max: 3 }),
      some: rarely,
      streamed: rarely,
      computed: rarely,
    }),
    { minLength: 1, maxLength: 2 },
  ),
})

export const anyCrowdedSchema: fc.Arbitrary<Schema> = choices
  .map(schemaOf)
  .filter((made): made is Schema => made.graph !== undefined)

/** The maximum number of writes in a transaction, because every order of them is tried. */
const MOST = 3

/** Transactions on a few nodes and their edges. */
export class Transactions extends Commands {
  constructor(private readonly schema: Schema) {
    super(schema.graph.declared, 0, schema.layout, Crowded)
  }

  override of(seed: number): Command {
    const choice = new Crowded(seed)
    const most = 1 + choice.below(MOST)
    const writes = new Map<string, Write>()
    // Most edges need nodes.
    if (choice.chance(0.4)) {
      const type = choice.of(this.schema.graph.declared.nodes)
      const write: Write = { verb: 'put', type: type.name, row: anyRow(type, choice) }
      writes.set(this.place(write), write)
    }
    while (writes.size < most) {
      const command = super.of(choice.below(2 ** 31))
      for (const write of 'writes' in command ? command.writes : 'write' in command ? [command.write] : [])
        if (writes.size < most && this.isPart(write)) writes.set(this.place(write), write)
    }
    return { does: 'transact', writes: [...writes.values()] }
  }

  private place({ type, row }: Write): string {
    const { nodes, edges } = this.schema.graph.declared
    return `${type} ${placeOf([...nodes, ...edges].find(({ name }) => name === type)!, row)}`
  }

  /** Whether the write is one request and changes something. */
  private isPart({ verb, type, patch = {}, edges }: Write): boolean {
    if (verb === 'update') return Object.keys(patch).length > 0
    const kept = this.schema.graph.declared.edges.flatMap(edge => edge.ends)
    return (
      verb !== 'delete' || (!edges && kept.every(({ node, onDelete }) => node.name !== type || onDelete === 'leave'))
    )
  }
}
