import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { perhapsBroken } from './broken-expressions.js'
import type { Placeholders } from './placeholders.js'
import type { KeyPart } from './tables.js'
import { keyValue, scalar } from './values.js'

/** Creates a key condition: equalities for the partition and an optional condition on the sort key. */
export function keyCondition(to: Placeholders, partition: readonly KeyPart[], sort: readonly KeyPart[]): string {
  const { chance } = to
  const value = (part: KeyPart, choices = 5) =>
    to.value(chance.happens(0.99) ? keyValue(chance, part.type, choices) : scalar(chance))
  const equal = (part: KeyPart, choices?: number) => `${to.name(part.name)} = ${value(part, choices)}`
  const parts = partition.map(part => equal(part, 3))
  const bound = chance.below(sort.length + 1)
  parts.push(...sort.slice(0, bound).map(part => equal(part)))
  const last = sort[bound]
  if (last && chance.happens(0.6)) parts.push(range(to, last, value))
  if (chance.happens(0.01)) parts.pop()
  if (chance.happens(0.01)) parts.push(`a = ${to.value({ S: 'a' })}`)
  const ordered = chance.happens(0.8) ? parts : chance.shuffled(parts)
  return perhapsBroken(chance, ordered.map(part => (chance.happens(0.1) ? `(${part})` : part)).join(' AND '))
}

function range(to: Placeholders, part: KeyPart, value: (part: KeyPart, choices?: number) => string): string {
  const { chance } = to
  const name = () => to.name(part.name)
  return chance.way(
    [4, () => `${name()} ${chance.pick(chance.happens(0.98) ? ['<', '<=', '>', '>='] : ['<>'])} ${value(part, 9)}`],
    [2, () => `${name()} BETWEEN ${value(part, 9)} AND ${value(part, 9)}`],
    [2, () => `begins_with(${name()}, ${prefix(to, part)})`],
  )
}

function prefix(to: Placeholders, { type }: KeyPart): string {
  const { chance } = to
  const begun: AttributeValue =
    type === 'B' ? { B: Uint8Array.of(chance.pick([0, 1, 255])) } : { S: chance.pick(['a', 'é', 'B', 'ab']) }
  return to.value(begun)
}
