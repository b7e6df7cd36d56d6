import fc from 'fast-check'
import { GraphError, layout } from '../../../../src/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { assertLayout } from '../../../../src/layout/proof/layout-proof.js'
import { type DeclaredType, idSlots, referenceSlots } from '../../../../src/layout/slots.js'
import type { DeclaredEdge } from '../../../../src/schema/declarations.js'
import { Choice } from '../runner/random-choice.js'
import { anySchema, type Schema } from './random-schemas.js'

/** Random graphs with custom keys: shared partitions, separate partitions, and custom names. */
export const anyGivenSchema: fc.Arbitrary<Schema> = fc
  .tuple(anySchema, fc.noShrink(fc.nat()))
  .map(([schema, seed]) => {
    const made = givenLayout(schema, seed)
    const told = `${schema[fc.toStringMethod]()} ${JSON.stringify(made?.keys)}`
    return { ...schema, layout: made?.layout, [fc.toStringMethod]: () => told }
  })
  .filter(({ layout }) => layout !== undefined)

const slotsText = (slots: readonly string[]) => slots.map(slot => `{${slot}}`).join('#')

function givenLayout({ graph }: Schema, seed: number) {
  const choice = new Choice(seed)
  const { nodes, edges } = graph.declared
  const all: readonly DeclaredType[] = [...nodes, ...edges]
  // When a custom key contains the other end of an only edge, a different edge is refused and not replaced.
  // Orders follow the keys.
  const isFree = ({ one, ends, key }: DeclaredEdge) =>
    one === undefined && ends.every(({ by }, i) => by.order.join() === [ends[1 - i]!.name, ...key].join())
  const free = all.filter(type => type.kind === 'node' || isFree(type))
  const given = choice.some(free, 0.6).map(type => [type.name, keysOf(type, choice)] as const)
  const keys = Object.fromEntries(given)
  try {
    const made = layout(graph, { keys } as never) as Layout
    assertLayout(made)
    return { keys, layout: made }
  } catch (error) {
    // Ambiguous or unreachable keys are rejected at declaration.
    if (error instanceof GraphError && /^(key|layout|path)\./.test(error.code)) return undefined
    throw error
  }
}

/** The texts of model ids in keys. A literal of a key can equal one. */
const ID_TEXTS = ['a', 'c', '0', 'b12']

function keysOf(type: DeclaredType, choice: Choice): Record<string, string> {
  if (type.kind === 'node') {
    const slots = idSlots(type)
    const id = slotsText(slots)
    const head = choice.of(['X', `${type.name.toUpperCase()}`])
    // A part of the id moves to the sort key. Nodes of one owner share its partition, or a partition with a
    // similar key.
    if (slots.length > 1 && choice.chance(0.5)) {
      const [last, first] = [slotsText(slots.slice(-1)), slotsText(slots.slice(0, -1))]
      return {
        PK: choice.of([`X#${first}`, `X#${first}#${choice.of(ID_TEXTS)}`, `X#${choice.of(ID_TEXTS)}#${first}`]),
        SK: `${choice.of(['N', type.name])}#${last}`,
      }
    }
    return {
      PK: choice.of([`${head}#${id}`, `${head}#${id}`, `ALL#${head}`]),
      SK: choice.of([`${head}#`, `SELF#${type.name}`, `${type.name}#${id}`]),
      ...(choice.chance(0.2) && { GSI1PK: `G#${type.name}#{size}`, GSI1SK: id }),
    }
  }
  const [a, b] = type.ends.map(end => slotsText(referenceSlots(end)))
  const key = type.key.map(name => `#{${name}}`).join('')
  const [near, far] = choice.chance(0.5) ? [a, b] : [b, a]
  const head = type.name.toUpperCase()
  const [from, to] = type.ends.map(({ node }) => node.name)
  const beside = `${near === a ? from : to}#${near}`
  return {
    PK: choice.of([beside, beside, `X#${near}`, `${head}#${near}#${far}${key}`]),
    SK: choice.of([`${head}#${far}${key}`, `${head}#${near}#${far}${key}`]),
    ...(choice.chance(0.5) && {
      GSI1PK: choice.of([`${head}#${far}`, `X#${far}`]),
      GSI1SK: choice.of([`${near}${key}`, `${head}#${near}${key}`]),
    }),
  }
}
