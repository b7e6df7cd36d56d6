import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { Template } from '../layout/template.js'
import { after, condition, type KeyCondition } from '../layout/template-condition.js'
import { decode, matches } from '../layout/template-encode.js'
import { compareUtf8 } from '../layout/template-order.js'

/** The table or an index, as something to query, by the attributes of its keys. */
export interface Place {
  /** Of an index. */
  readonly name?: string
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

/** A stretch of a partition's sort keys, both ends within; without an end it goes on. */
export interface Span {
  readonly low: string
  readonly high: string | undefined
}

export const EVERYTHING: Span = { low: '', high: undefined }

export function placeOf({ design, names }: Layout, index: string | undefined): Place {
  return design.indexes.find(({ name }) => name === index) ?? names.place
}

export function spanOf(key: KeyCondition): Span {
  if ('equal' in key) return { low: key.equal, high: key.equal }
  if ('beginning' in key) return { low: key.beginning, high: after(key.beginning) }
  return { low: key.from ?? '', high: key.to }
}

export const overlap = (a: Span, b: Span): boolean => !isBefore(a, b) && !isBefore(b, a)

/** Whether all of one is before all of the other. */
const isBefore = (a: Span, b: Span) => a.high !== undefined && compareUtf8(a.high, b.low) < 0

export interface Landing {
  readonly kind: Kind
  readonly span: Span
}

/** Which of the kinds can lie in a partition, each with the stretch of it that they can be in. */
export function landing(kinds: readonly Kind[], { partition, sort }: Place, text: string): Landing[] {
  return kinds.flatMap(kind => {
    const [head, tail] = [kind.keys[partition[0]!], kind.keys[sort[0]!]]
    if (!head || (!tail && sort[0]) || !matches(head, text)) return []
    const told = tail && head.mode === 'encoded' ? decode(head, text)! : {}
    return [{ kind, span: tail ? spanOf(condition(tail, told)!) : EVERYTHING }]
  })
}

/** Whether two keys can begin alike: otherwise neither is met where the other is read. */
export function beginAlike(a: Template | undefined, b: Template | undefined): boolean {
  const [one, other] = [a?.literals[0] ?? '', b?.literals[0] ?? '']
  return one.startsWith(other) || other.startsWith(one)
}
