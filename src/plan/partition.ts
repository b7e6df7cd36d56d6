import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Template } from '../layout/template.js'
import { after, condition, type KeyCondition } from '../layout/template-condition.js'
import { decode, type KeyValues, matches } from '../layout/template-encode.js'
import { compareUtf8 } from '../layout/template-order.js'

/** The table or an index with composed keys, as something to query. */
export interface Place {
  readonly index: string | undefined
  readonly partition: string
  readonly sort: string | undefined
}

/** A stretch of a partition's sort keys, both ends within; without an end it goes on. */
export interface Span {
  readonly low: string
  readonly high: string | undefined
}

export const EVERYTHING: Span = { low: '', high: undefined }

export function placeOf({ design, names }: Layout, index: string | undefined): Place {
  const found = design.indexes.find(({ name }) => name === index)
  return found
    ? { index, partition: found.partition[0]!, sort: found.sort[0] }
    : { index, partition: names.partition, sort: names.sort }
}

export function spanOf(key: KeyCondition): Span {
  if ('equal' in key) return { low: key.equal, high: key.equal }
  if ('beginning' in key) return { low: key.beginning, high: after(key.beginning) }
  return { low: key.from ?? '', high: key.to }
}

export function overlap(a: Span, b: Span): boolean {
  return !isBefore(a, b) && !isBefore(b, a)
}

/** Whether all of one is before all of the other. */
function isBefore(a: Span, b: Span): boolean {
  return a.high !== undefined && compareUtf8(a.high, b.low) < 0
}

export interface Landing {
  readonly kind: Kind
  readonly span: Span
}

/** The kinds that can lie in a partition, each with the stretch of it that they can be in. */
export function landing({ kinds }: Layout, { partition, sort }: Place, text: string): Landing[] {
  return kinds.flatMap(kind => {
    const head = kind.keys[partition]
    if (!head || !matches(head, text)) return []
    if (sort === undefined) return [{ kind, span: EVERYTHING }]
    const tail = kind.keys[sort]
    if (!tail) return []
    const told = head.mode === 'encoded' ? decode(head, text)! : {}
    return [{ kind, span: spanOf(condition(tail, fromLeft(tail, told))!) }]
  })
}

/** The values up to the first slot that has none. */
export function fromLeft({ slots }: Template, values: KeyValues): KeyValues {
  const given: Record<string, KeyValues[string]> = {}
  for (const { name } of slots) {
    if (values[name] === undefined) break
    given[name] = values[name]
  }
  return given
}
