import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { perhapsBroken } from './broken-expressions.js'
import type { Placeholders } from './placeholders.js'
import { numberText, scalar, text, value } from './values.js'

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='] as const
const TYPE_NAMES = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'BOOL', 'NULL'] as const

/** Creates a condition on these attributes for ConditionExpression and FilterExpression. */
export function condition(to: Placeholders, names: readonly string[]): string {
  return perhapsBroken(to.chance, clause(to, names, 0))
}

function clause(to: Placeholders, names: readonly string[], depth: number): string {
  const { chance } = to
  if (depth >= 3 || chance.happens(0.65)) return simple(to, names)
  const inner = () => clause(to, names, depth + 1)
  return chance.way(
    [3, () => `${inner()} AND ${inner()}`],
    [3, () => `${inner()} OR ${inner()}`],
    [2, () => `NOT ${inner()}`],
    [2, () => `(${inner()})`],
  )
}

function simple(to: Placeholders, names: readonly string[]): string {
  const { chance } = to
  const path = () => to.path(chance.pick(names))
  const [low, high] = ordered(to)
  return chance.way(
    [3, () => `${operand(to, names)} ${chance.pick(COMPARATORS)} ${operand(to, names)}`],
    [3, () => `${path()} ${chance.pick(COMPARATORS)} ${to.value(orderable(to))}`],
    [2, () => `${path()} ${chance.pick(['=', '<>'])} ${to.value(value(chance))}`],
    [2, () => `attribute_exists(${path()})`],
    [2, () => `attribute_not_exists(${path()})`],
    [1, () => `attribute_type(${path()}, ${to.value({ S: chance.pick(chance.happens(0.95) ? TYPE_NAMES : ['Q']) })})`],
    [2, () => `begins_with(${path()}, ${chance.happens(0.85) ? to.value({ S: text(chance) }) : operand(to, names)})`],
    [2, () => `contains(${path()}, ${chance.happens(0.8) ? to.value(scalar(chance)) : operand(to, names)})`],
    [1, () => `size(${path()}) ${chance.pick(COMPARATORS)} ${to.value({ N: chance.pick(['0', '1', '2', '5']) })}`],
    [2, () => `${path()} BETWEEN ${to.value(low)} AND ${to.value(high)}`],
    [0.5, () => `${operand(to, names)} BETWEEN ${operand(to, names)} AND ${operand(to, names)}`],
    [2, () => `${operand(to, names)} IN (${chance.several(1, 3, () => operand(to, names)).join(', ')})`],
  )
}

function operand(to: Placeholders, names: readonly string[]): string {
  const { chance } = to
  return chance.way(
    [5, () => to.path(chance.pick(names))],
    [4, () => to.value(scalar(chance))],
    [1, () => `size(${to.path(chance.pick(names))})`],
  )
}

function orderable({ chance }: Placeholders): AttributeValue {
  return chance.happens(0.5) ? { N: numberText(chance) } : { S: text(chance) }
}

/** Creates two values for BETWEEN, in order where this is easy to determine. */
function ordered(to: Placeholders): [AttributeValue, AttributeValue] {
  if (to.chance.happens(0.1)) return [scalar(to.chance), scalar(to.chance)]
  if (to.chance.happens(0.5)) return [{ N: '-1' }, { N: to.chance.pick(['0', '5', '10', '1E38']) }]
  return [{ S: '' }, { S: to.chance.pick(['a', 'b', 'z', '\uffee']) }]
}
