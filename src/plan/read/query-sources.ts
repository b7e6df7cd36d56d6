import type { Access } from '../../layout/access/access.js'
import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import { NODE_SORT } from '../../layout/keys/default-templates.js'
import {
  encodePrefix,
  encodeTemplate,
  isNumericKey,
  type KeySlotValues,
  toKeyAttribute,
} from '../../layout/keys/encode-template.js'
import { toSortText } from '../../layout/keys/key-text-codec.js'
import {
  countLeadingSlots,
  type LastSlotTest,
  type TemplateCondition,
  templateConditionOf,
} from '../../layout/keys/template-condition.js'
import type { Layout } from '../../layout/layout.js'
import { SHARD_SLOT, storedTypeOf } from '../../layout/slots.js'
import type { KeyTest, KeyTests } from '../expression.js'
import { accessesOf, pathError, tenantValues } from '../identity.js'
import { assertLimit, type PathQuery } from './options.js'
import {
  canShareStart,
  isOverlapping,
  kindSpansOf,
  type QueryTarget,
  queryTargetOf,
  type SortKeySpan,
  sortKeySpanOf,
  WHOLE_PARTITION,
} from './partition.js'
import { encodeStart, type ParsedWhere, parseWhere } from './where.js'

/** One partition to query, with its key conditions. */
export interface QuerySource {
  readonly access: Access
  readonly target: QueryTarget
  /** Key conditions, partition attributes first. */
  readonly tests: KeyTests
  /** Of composed keys: the partition's text, and the range of sort keys that is read. */
  readonly partitionText?: string
  readonly span?: SortKeySpan
  /** The length of the sort key prefix that the query determines, and that does not affect the order. */
  readonly knownPrefixLength?: number | undefined
  /** Type marks of the requested kinds. */
  readonly typeMarks: readonly string[]
  /** The query finds an undirected edge from its other end. */
  readonly endsSwapped?: boolean
}

/** The partitions that a path reads: one, one for each shard, or those of both ends for some undirected edges. */
export function querySourcesOf(layout: Layout, access: Access, query: PathQuery): QuerySource[] {
  assertLimit(query.limit)
  const ownSources = shardSourcesOf(layout, access, query)
  const { type } = access
  if (type.kind !== 'edge' || !type.undirected) return ownSources
  const other = type.ends.find(({ name }) => name !== access.name)!.name
  const otherAccess = accessesOf(layout).get(`${type.name}.${other}`)
  if (!otherAccess) return ownSources
  const { [other]: otherValue, ...where } = query.where ?? {}
  const otherSources = shardSourcesOf(layout, otherAccess, { ...query, where: { ...where, [access.name]: otherValue } })
  const textOf = (sources: readonly QuerySource[]) =>
    JSON.stringify(sources.map(({ target, tests }) => [target.name, tests]))
  if (textOf(ownSources) !== textOf(otherSources))
    return [...ownSources, ...otherSources.map(source => ({ ...source, endsSwapped: true }))]
  const typeMarks = [...new Set([access.kind.typeMark, otherAccess.kind.typeMark])]
  return ownSources.map(source => ({ ...source, typeMarks }))
}

function shardSourcesOf(layout: Layout, access: Access, query: PathQuery): QuerySource[] {
  const start = { ...tenantValues(query.tenant), ...encodeStart(access, query.start) }
  const where = parseWhere(access, query.where)
  const { partition, shards } = access
  if (!partition && shards > 1)
    return Array.from({ length: shards }, (_, shard) =>
      nativeSourcesOf(layout, access, { ...start, [SHARD_SLOT]: { S: String(shard) } }, where),
    ).flat()
  if (!partition) return nativeSourcesOf(layout, access, start, where)
  if (shards === 1) return composedSourcesOf(layout, access, start, where)
  return Array.from({ length: shards }, (_, shard) =>
    composedSourcesOf(layout, access, { ...start, [SHARD_SLOT]: { S: String(shard) } }, where),
  ).flat()
}

/** Returns an empty list for an empty range. */
function composedSourcesOf(
  layout: Layout,
  access: Access,
  start: KeySlotValues,
  { equal, last }: ParsedWhere,
): QuerySource[] {
  const { partition, sort, kind } = access
  const target = queryTargetOf(layout, access.index)
  const partitionText = encodeTemplate(partition!, start)
  const sortKeyTest = sortKeyTestOf(access, { ...start, ...equal }, last)
  if (!sortKeyTest) return []
  const tests: [string, KeyTest][] = [[target.partition[0]!, { equal: toKeyAttribute(partition!, partitionText) }]]
  if (sort) tests.push([target.sort[0]!, sortKeyTest])
  const knownPrefixLength = sort && encodePrefix(sort, start, countLeadingSlots(sort, start)).length
  const span = sort && !isNumericKey(sort) ? sortKeySpanOf(sortKeyTest as TemplateCondition) : WHOLE_PARTITION
  return [{ access, target, tests, partitionText, span, typeMarks: [kind.typeMark], knownPrefixLength }]
}

/** The condition on the sort key, if the target has a sort key; undefined for an empty range. */
function sortKeyTestOf(access: Access, values: KeySlotValues, last: LastSlotTest | undefined): KeyTest | undefined {
  const { sort } = access
  if (!sort) return {}
  if (!isNumericKey(sort)) return templateConditionOf(sort, values, last)
  const { name } = sort.slots[0]!
  const equal = values[name]
  return equal ? { equal } : last ? nativeTestOf(access, name, last) : {}
}

/**
 * Sources of an access whose keys are plain attributes: the type first, then the given non-empty values.
 */
function nativeSourcesOf(
  layout: Layout,
  access: Access,
  start: KeySlotValues,
  { equal, last, slot }: ParsedWhere,
): QuerySource[] {
  const { names } = layout
  const { type, kind, sortSlots, shardAt } = access
  const tests: [string, KeyTest][] = [[names.type, { equal: kind.typeMark }]]
  const values = { ...start, ...equal }
  if (shardAt)
    tests.push([shardAt, { equal: toKeyAttribute(kind.keys[shardAt]!, encodeTemplate(kind.keys[shardAt]!, start)) }])
  for (const part of [...access.requiredSlots, ...sortSlots]) {
    const value = values[part]
    if (value?.S === '') return []
    if (value) tests.push([names.attributeOf(type, part), { equal: value }])
    else if (!sortSlots.includes(part))
      throw pathError('read.part', access, `the part '${part}' is missing; give it`, part)
  }
  const test = last && nativeTestOf(access, slot!, last)
  if (test) tests.push([names.attributeOf(type, slot!), test])
  else if (last) return []
  return [{ access, target: queryTargetOf(layout, access.index), tests, typeMarks: [kind.typeMark] }]
}

/** The condition on the first part after the equal parts; undefined for an empty range. */
function nativeTestOf(access: Access, slot: string, last: LastSlotTest): KeyTest | undefined {
  if ('startsWith' in last) {
    const { startsWith: beginning } = last
    if (storedTypeOf(access.type, slot) === 'S' && beginning.isWellFormed()) return { beginning }
    throw pathError('key.range', access, `'${slot}' does not sort as a text; read without 'startsWith'`, slot)
  }
  const { from, to } = last
  if (to && (to.S === '' || (from && compareUtf8(toSortText(from), toSortText(to)) > 0))) return undefined
  return { from: from?.S === '' ? undefined : from, to }
}

/** Whether the range may contain items of other kinds. */
export function canMeetOtherKinds(
  { kinds }: Layout,
  { access, target, partitionText, span, typeMarks }: QuerySource,
): boolean {
  if (!partitionText) return false
  const otherKinds = kinds.filter(
    ({ typeMark, keys }) => !typeMarks.includes(typeMark) && canShareStart(keys[target.sort[0]!], access.sort),
  )
  // Node items of edgewise share this sort key, so an index that inverts the table's keys contains all of them.
  const canMeetOwnItems = partitionText === NODE_SORT && !access.sort?.literals[0]
  return (
    canMeetOwnItems || kindSpansOf(otherKinds, target, partitionText).some(other => isOverlapping(other.span, span!))
  )
}
