import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import { canMakeKey, decodeTemplate } from '../../layout/keys/encode-template.js'
import type { KeyTemplate } from '../../layout/keys/template.js'
import { prefixUpperBound, type TemplateCondition, templateConditionOf } from '../../layout/keys/template-condition.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'

/** The table or an index as the target of a Query, with its key attributes. */
export interface QueryTarget {
  /** The index name; undefined for the table. */
  readonly name?: string
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

/** An inclusive range of sort keys in a partition. Without an upper bound it extends to the end. */
export interface SortKeySpan {
  readonly low: string
  readonly high: string | undefined
}

export const WHOLE_PARTITION: SortKeySpan = { low: '', high: undefined }

export function queryTargetOf({ design, names }: Layout, index: string | undefined): QueryTarget {
  return design.indexes.find(({ name }) => name === index) ?? names.keySchema
}

export function sortKeySpanOf(key: TemplateCondition): SortKeySpan {
  if ('equal' in key) return { low: key.equal, high: key.equal }
  if ('beginning' in key) return { low: key.beginning, high: prefixUpperBound(key.beginning) }
  return { low: key.from ?? '', high: key.to }
}

export const isOverlapping = (a: SortKeySpan, b: SortKeySpan): boolean => !isBefore(a, b) && !isBefore(b, a)

/** Whether every key of `a` sorts before every key of `b`. */
const isBefore = (a: SortKeySpan, b: SortKeySpan) => a.high !== undefined && compareUtf8(a.high, b.low) < 0

export interface KindSpan {
  readonly kind: Kind
  readonly span: SortKeySpan
}

/** The kinds that may have items in a partition, each with its range of sort keys. */
export function kindSpansOf(kinds: readonly Kind[], { partition, sort }: QueryTarget, text: string): KindSpan[] {
  return kinds.flatMap(kind => {
    const [head, tail] = [kind.keys[partition[0]!], kind.keys[sort[0]!]]
    if (!head || (!tail && sort[0]) || !canMakeKey(head, text)) return []
    const keyValues = tail && head.mode === 'encoded' ? decodeTemplate(head, text)! : {}
    return [{ kind, span: tail ? sortKeySpanOf(templateConditionOf(tail, keyValues)!) : WHOLE_PARTITION }]
  })
}

/** Whether keys of two templates can have a common prefix. Otherwise their ranges never overlap. */
export function canShareStart(a: KeyTemplate | undefined, b: KeyTemplate | undefined): boolean {
  const [first, second] = [a?.literals[0] ?? '', b?.literals[0] ?? '']
  return first.startsWith(second) || second.startsWith(first)
}
