import fc from 'fast-check'
import { GraphError, layout } from '../../../../src/index.js'
import type { Kind } from '../../../../src/layout/kinds.js'
import type { Layout } from '../../../../src/layout/layout.js'
import type { LayoutOptions } from '../../../../src/layout/options.js'
import { assertLayout } from '../../../../src/layout/proof/layout-proof.js'
import { Choice } from '../runner/random-choice.js'
import { anySchema, anyStreamedSchema, type Schema } from './random-schemas.js'

/** Random graphs whose default keys have different literals, names and marks. */
const reworded = (schemas: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc
    .tuple(schemas, fc.noShrink(fc.nat()))
    .map(([schema, seed]) => {
      const options = optionsOf(schema, new Choice(seed))
      const told = `${schema[fc.toStringMethod]()} ${JSON.stringify(options)}`
      return { ...schema, layout: provedLayout(schema, options), [fc.toStringMethod]: () => told }
    })
    .filter(({ layout }) => layout !== undefined)

export const anyRewordedSchema = reworded(anySchema)
export const anyRewordedStreamedSchema = reworded(anyStreamedSchema)

/** Ambiguous or unreachable keys are rejected at declaration. */
function provedLayout({ graph }: Schema, options: LayoutOptions): Layout | undefined {
  try {
    const made = layout(graph, options as never) as Layout
    assertLayout(made)
    return made
  } catch (error) {
    if (error instanceof GraphError && /^(key|layout|path)\./.test(error.code)) return undefined
    throw error
  }
}

const KEYS = [
  ['PK', 'SK'],
  ['hash', 'range'],
  ['SK', 'PK'],
  ['p-k', 's.k'],
] as const

function optionsOf({ graph }: Schema, choice: Choice): LayoutOptions {
  const { kinds, design } = layout(graph) as Layout
  const [partition, sort] = choice.of(KEYS)
  const isRenamed = choice.chance(0.3)
  const nameOf = (attribute: string) => {
    if (attribute === 'PK' || attribute === 'SK') return attribute === 'PK' ? partition : sort
    return isRenamed ? attribute.replace(/^GSI/, 'index') : attribute
  }
  const global = design.indexes.filter(({ name }) => name.startsWith('GSI'))
  const indexes = global.map(
    ({ name, partition: [hash], sort: [range] }) => [`by-${name}`, { keys: [nameOf(hash!), nameOf(range!)] }] as const,
  )
  const values = Object.fromEntries(choice.some(kinds).map(({ name }, i) => [name, `K${i}`]))
  return {
    table: { keys: [partition, sort] },
    keys: keysOf(kinds, choice, isRenamed, nameOf),
    ...(isRenamed && { indexes: Object.fromEntries(indexes) as never }),
    ...(choice.chance(0.4) && { type: choice.of(['t', { attribute: 't', values }, { attribute: '_type', values }]) }),
    ...(choice.chance(0.3) && { marks: Object.fromEntries(choice.some(kinds).map(({ name }) => [name, { v: '1' }])) }),
    ...(choice.chance(0.4) && { names: Object.fromEntries(graph.declared.nodes.map(node => namesOf(node, choice))) }),
  }
}

function namesOf({ name, attributes }: { name: string; attributes: object }, choice: Choice) {
  const some = choice.some(Object.keys(attributes), 0.3)
  return [name, Object.fromEntries(some.map(each => [each, choice.of([`n_${each}`, `${each}-é`])]))] as const
}

/** Rewords the keys of a type's own items, and of its mirrors, facets and sentinels. */
function keysOf(kinds: readonly Kind[], choice: Choice, isRenamed: boolean, nameOf: (attribute: string) => string) {
  const keys: Record<string, Record<string, unknown>> = {}
  for (const { role, memberName, type, keys: templates } of kinds) {
    const texts = Object.entries(templates).flatMap(([attribute, { source }]) => {
      const isKept = !isRenamed && choice.chance(0.4)
      const text = rewordedText(source.replace(/^\{tenant\}#/, ''), choice)
      // Only default key names are sharded.
      const whole = isRenamed && attribute.startsWith('GSI') ? text.replace('#{shard}', '') : text
      return isKept ? [] : [[nameOf(attribute), whole] as const]
    })
    const place = role === 'mirror' ? role : role === 'facet' ? `by.${memberName}` : `unique.${memberName}`
    const given = Object.fromEntries(texts)
    keys[type.name] = { ...keys[type.name], ...(role === 'node' || role === 'edge' ? given : { [place]: given }) }
  }
  return keys as NonNullable<LayoutOptions['keys']>
}

/** Rewords a key with another prefix, texts between and after the slots, and a repeated slot. */
function rewordedText(text: string, choice: Choice): string {
  if (choice.chance(0.3)) return text
  const parts = text.split('#')
  const shard = parts.at(-1) === '{shard}' ? [parts.pop()!] : []
  const slots = parts.filter(part => part.startsWith('{'))
  if (choice.chance(0.4) && slots[0] !== parts[0]) parts[0] = choice.of(['X', parts[0]!.toUpperCase(), 'Y{{'])
  if (choice.chance(0.2)) parts.splice(1, 0, choice.of(['L', 'Ä', 'a b']))
  if (choice.chance(0.15)) parts.push(choice.of(['END', '', '{{}}']))
  if (choice.chance(0.1) && slots.length > 0) parts.push(choice.of(slots))
  return [...parts, ...shard].join('#')
}
