import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import { canMakeKey, decodeTemplate } from '../../layout/keys/encode-template.js'
import type { KeyTemplate } from '../../layout/keys/template.js'
import { prefixUpperBound, type TemplateCondition, templateConditionOf } from '../../layout/keys/template-condition.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'

/** The table or an index, as something to query, by the attributes of its keys. */
export interface QueryTarget {
  /** Of an index. */
  readonly name?: string
  readonly partition: readonly string[]
  readonly sort: readonly string[]
}

/** A stretch of a partition's sort keys, both ends within; without an end it goes on. */
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

/** Whether all of one is before all of the other. */
const isBefore = (a: SortKeySpan, b: SortKeySpan) => a.high !== undefined && compareUtf8(a.high, b.low) < 0

export interface KindSpan {
  readonly kind: Kind
  readonly span: SortKeySpan
}

/** Which of the kinds can lie in a partition, each with the stretch of it that they can be in. */
export function kindSpansOf(kinds: readonly Kind[], { partition, sort }: QueryTarget, text: string): KindSpan[] {
  return kinds.flatMap(kind => {
    const [head, tail] = [kind.keys[partition[0]!], kind.keys[sort[0]!]]
    if (!head || (!tail && sort[0]) || !canMakeKey(head, text)) return []
    const keyValues = tail && head.mode === 'encoded' ? decodeTemplate(head, text)! : {}
    return [{ kind, span: tail ? sortKeySpanOf(templateConditionOf(tail, keyValues)!) : WHOLE_PARTITION }]
  })
}

/** Whether two keys can begin alike: otherwise neither is met where the other is read. */
export function canShareStart(a: KeyTemplate | undefined, b: KeyTemplate | undefined): boolean {
  const [first, second] = [a?.literals[0] ?? '', b?.literals[0] ?? '']
  return first.startsWith(second) || second.startsWith(first)
}
