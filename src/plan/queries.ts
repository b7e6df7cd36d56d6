import type { Access } from '../layout/access.js'
import { NODE_SORT } from '../layout/default-keys.js'
import { sortText } from '../layout/key-text.js'
import type { Layout } from '../layout/layout.js'
import { SHARD_SLOT, storedType } from '../layout/slots.js'
import { condition, givenFromLeft, type KeyCondition, type LastPart } from '../layout/template-condition.js'
import { beginning, encode, isNumber, type KeyValues, keyValue } from '../layout/template-encode.js'
import { compareUtf8 } from '../layout/template-order.js'
import { checkLimit, type PathAsk } from './ask.js'
import type { KeyTest, KeyTests } from './expression.js'
import { accessesOf, pathError, tenantValues } from './identity.js'
import { beginAlike, EVERYTHING, landing, overlap, type Place, placeOf, type Span, spanOf } from './partition.js'
import { givenValues, type ReadWhere, readWhere } from './where.js'

/** One partition to query, by the attributes of its key. */
export interface Source {
  readonly access: Access
  readonly place: Place
  /** Those of the partition first. */
  readonly tests: KeyTests
  /** Where keys are composed: the partition's text, and the stretch of it that is read. */
  readonly text?: string
  readonly span?: Span
  /** How much of its sort keys is known before, and tells nothing of their order. */
  readonly known?: number | undefined
  /** Marks of the kinds that are asked for. */
  readonly marks: readonly string[]
  /** It finds an undirected edge from its other end. */
  readonly turned?: boolean
}

/** The partitions that a path is read from: one, or one a shard, and for some undirected edges those of both ends. */
export function sourcesOf(layout: Layout, access: Access, ask: PathAsk): Source[] {
  checkLimit(ask.limit)
  const own = shardsOf(layout, access, ask)
  const { type } = access
  if (type.kind !== 'edge' || !type.undirected) return own
  const other = type.ends.find(({ name }) => name !== access.name)!.name
  const back = accessesOf(layout).get(`${type.name}.${other}`)
  if (!back) return own
  const { [other]: there, ...where } = ask.where ?? {}
  const theirs = shardsOf(layout, back, { ...ask, where: { ...where, [access.name]: there } })
  const read = (sources: readonly Source[]) => JSON.stringify(sources.map(({ place, tests }) => [place.name, tests]))
  if (read(own) !== read(theirs)) return [...own, ...theirs.map(source => ({ ...source, turned: true }))]
  const marks = [...new Set([access.kind.mark, back.kind.mark])]
  return own.map(source => ({ ...source, marks }))
}

function shardsOf(layout: Layout, access: Access, ask: PathAsk): Source[] {
  const given = { ...tenantValues(ask.tenant), ...givenValues(access, ask.given) }
  const where = readWhere(access, ask.where)
  const { partition, shards } = access
  if (!partition) return nativeSource(layout, access, given, where)
  if (shards === 1) return composedSource(layout, access, given, where)
  return Array.from({ length: shards }, (_, shard) =>
    composedSource(layout, access, { ...given, [SHARD_SLOT]: { S: String(shard) } }, where),
  ).flat()
}

/** Nothing where a range is empty. */
function composedSource(layout: Layout, access: Access, given: KeyValues, { equal, last }: ReadWhere): Source[] {
  const { partition, sort, kind } = access
  const place = placeOf(layout, access.index)
  const text = encode(partition!, given)
  const key = sortTest(access, { ...given, ...equal }, last)
  if (!key) return []
  const tests: [string, KeyTest][] = [[place.partition[0]!, { equal: keyValue(partition!, text) }]]
  if (sort) tests.push([place.sort[0]!, key])
  const known = sort && beginning(sort, given, givenFromLeft(sort, given)).length
  const span = sort && !isNumber(sort) ? spanOf(key as KeyCondition) : EVERYTHING
  return [{ access, place, tests, text, span, marks: [kind.mark], known }]
}

/** What is asked of the sort key, if there is one; nothing where a range is empty. */
function sortTest(access: Access, values: KeyValues, last: LastPart | undefined): KeyTest | undefined {
  const { sort } = access
  if (!sort) return {}
  if (!isNumber(sort)) return condition(sort, values, last)
  const { name } = sort.slots[0]!
  const equal = values[name]
  return equal ? { equal } : last ? nativeTest(access, name, last) : {}
}

/** The attributes themselves are the key: the type first, then what is given. None of them is empty. */
function nativeSource(layout: Layout, access: Access, given: KeyValues, { equal, last, slot }: ReadWhere): Source[] {
  const { names } = layout
  const { type, kind, parts } = access
  const tests: [string, KeyTest][] = [[names.type, { equal: kind.mark }]]
  const values = { ...given, ...equal }
  for (const part of [...access.given, ...parts]) {
    const value = values[part]
    if (value?.S === '') return []
    if (value) tests.push([names.of(type, part), { equal: value }])
    else if (!parts.includes(part)) throw pathError('read.part', access, `needs '${part}'`, part)
  }
  const test = last && nativeTest(access, slot!, last)
  if (test) tests.push([names.of(type, slot!), test])
  else if (last) return []
  return [{ access, place: placeOf(layout, access.index), tests, marks: [kind.mark] }]
}

/** What is asked of the part after those that are equal; nothing where there can be none. */
function nativeTest(access: Access, slot: string, last: LastPart): KeyTest | undefined {
  if ('startsWith' in last) {
    const { startsWith: beginning } = last
    if (storedType(access.type, slot) === 'S' && beginning.isWellFormed()) return { beginning }
    throw pathError('key.range', access, `does not sort by {${slot}} as a text: read it without a beginning`, slot)
  }
  const { from, to } = last
  if (to && (to.S === '' || (from && compareUtf8(sortText(from), sortText(to)) > 0))) return undefined
  return { from: from?.S === '' ? undefined : from, to }
}

/** Whether items of other kinds can be met in what is read. */
export function isMixed({ kinds }: Layout, { access, place, text, span, marks }: Source): boolean {
  if (!text) return false
  const near = kinds.filter(({ mark, keys }) => !marks.includes(mark) && beginAlike(keys[place.sort[0]!], access.sort))
  // Those of our own have that sort key: where an index turns the table round, they are met as well.
  const own = text === NODE_SORT && !access.sort?.literals[0]
  return own || landing(near, place, text).some(other => overlap(other.span, span!))
}
