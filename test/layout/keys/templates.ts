import fc from 'fast-check'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import type { SlotType } from '../../../src/layout/keys/key-text-codec.js'
import {
  type KeyTemplate,
  type KeyTemplateOptions,
  parseKeyTemplate,
  withEscapedTail,
} from '../../../src/layout/keys/template.js'
import type { TemplateCondition } from '../../../src/layout/keys/template-condition.js'
import { bytesOrder, KINDS, part } from './value-kinds.js'

/** Parses a template. Its slots are strings by default. */
export function made(
  source: string,
  options: Partial<KeyTemplateOptions> = {},
  parts: Readonly<Record<string, SlotType>> = {},
): KeyTemplate {
  return parseKeyTemplate(source, name => parts[name] ?? part('string'), { maxBytes: SORT_KEY_BYTES, ...options })
}

/** The templates of one key attribute, with escaped tails as in a layout. */
export const settle = (templates: readonly KeyTemplate[]) => templates.map(one => withEscapedTail(one, templates))

/** The template as a layout has it if a longer template continues it: its last part is escaped. */
export const besideLonger = (one: KeyTemplate) => settle([one, made(`${one.source}#more`)])[0]!

export const strings = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }]))

/** Whether a Query with a condition returns a key. */
export function sees(condition: TemplateCondition | undefined, text: string): boolean {
  if (!condition) return false
  if ('equal' in condition) return text === condition.equal
  if ('beginning' in condition) return text.startsWith(condition.beginning)
  const { from, to } = condition
  return (from === undefined || bytesOrder(text, from) >= 0) && (to === undefined || bytesOrder(text, to) <= 0)
}

export type Tuple = Record<string, AttributeValue>

const literal = fc.constantFrom('#', '#B#', '##', '#$', '#a', '# ')
const slots = fc.array(fc.record({ kind: fc.constantFrom(...Object.keys(KINDS)), literal }), {
  minLength: 1,
  maxLength: 4,
})

export interface Sample {
  readonly template: KeyTemplate
  readonly kinds: readonly string[]
  /** Some values for each slot, so that tuples often share parts. */
  readonly pools: readonly (readonly AttributeValue[])[]
}

/** Encoded templates with slots of any kind, with and without a literal at the end. */
export const sample: fc.Arbitrary<Sample> = fc
  .tuple(fc.constantFrom('A#', '', '$', 'é'), slots, fc.boolean())
  .chain(([first, list, end]) => {
    const source =
      first + list.map(({ literal }, i) => `{s${i}}${end && i === list.length - 1 ? '' : literal}`).join('')
    const kinds = list.map(({ kind }) => kind)
    const parts = Object.fromEntries(kinds.map((kind, index) => [`s${index}`, KINDS[kind]!.part]))
    const pools = fc.tuple(...kinds.map(kind => fc.array(KINDS[kind]!.values, { minLength: 1, maxLength: 3 })))
    return pools.map(drawn => ({
      template: made(source, { maxBytes: PARTITION_KEY_BYTES }, parts),
      kinds,
      pools: drawn,
    }))
  })

/** Tuples of values for a sample. */
export const tuplesOf = ({ pools }: Sample, count: number) =>
  fc.array(fc.tuple(...pools.map(pool => fc.constantFrom(...pool))), { minLength: count, maxLength: count })

export const named = (tuple: readonly AttributeValue[]): Tuple =>
  Object.fromEntries(tuple.map((value, index) => [`s${index}`, value]))

export const compareSlot = ({ kinds }: Sample, slot: number, a: AttributeValue, b: AttributeValue) =>
  KINDS[kinds[slot]!]!.compare(a, b)

export function compareTuples(sample: Sample, a: readonly AttributeValue[], b: readonly AttributeValue[]): number {
  for (const slot of a.keys()) {
    const order = compareSlot(sample, slot, a[slot]!, b[slot]!)
    if (order !== 0) return order
  }
  return 0
}
