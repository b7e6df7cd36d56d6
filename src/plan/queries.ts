import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Access } from '../layout/access.js'
import { otherEnd } from '../layout/default-keys.js'
import type { Layout } from '../layout/layout.js'
import { SHARD_SLOT } from '../layout/slots.js'
import { condition } from '../layout/template-condition.js'
import { encode, type KeyValues } from '../layout/template-encode.js'
import { compareUtf8 } from '../layout/template-order.js'
import { GraphError } from '../schema/error.js'
import { type KeyTest, textTest } from './expression.js'
import { EVERYTHING, fromLeft, landing, overlap, placeOf, type Span, spanOf } from './partition.js'
import type { Slots } from './plan.js'
import { givenValues, type ReadWhere, readWhere, type Where } from './where.js'

/** One partition to query, by the attributes of its key. */
export interface Source {
  readonly access: Access
  readonly tests: readonly (readonly [attribute: string, test: KeyTest])[]
  /** The attributes of its partition key with their values, and those that it is sorted by. */
  readonly partition: Slots
  readonly sort: readonly string[]
  /** Where keys are composed: the partition's text, and the stretch of it that is read. */
  readonly text?: string
  readonly span?: Span
  /** Marks of the kinds that are asked for. */
  readonly marks: readonly string[]
  /** It finds an undirected edge from its other end. */
  readonly turned: boolean
}

/** The partitions that a path is read from: one, or one a shard, and for some undirected edges those of both ends. */
export function sourcesOf(layout: Layout, access: Access, given: unknown, where?: Where, tenant: Slots = {}): Source[] {
  const own = shardsOf(layout, access, { ...tenant, ...givenValues(access, given) }, readWhere(access, where))
  const { type } = access
  if (type.kind !== 'edge' || !type.undirected) return own
  const end = type.ends.find(({ name }) => name === access.name)!
  const other = otherEnd(type, end).name
  const back = layout.accesses.find(candidate => candidate.type === type && candidate.name === other)
  if (!back) return own
  const swapped = where && Object.fromEntries(Object.entries(where).map(([part, value]) => [swap(part), value]))
  function swap(part: string): string {
    return part === other ? access.name : part
  }
  const theirs = shardsOf(layout, back, { ...tenant, ...givenValues(back, given) }, readWhere(back, swapped))
  const both = [...new Set([access.kind.mark, back.kind.mark])]
  const one = own.every((source, i) => isSame(source, theirs[i]))
  return one ? own.map(source => ({ ...source, marks: both })) : [...own, ...theirs.map(turned)]
}

const turned = (source: Source): Source => ({ ...source, turned: true })

const isSame = (a: Source, b: Source | undefined) =>
  b !== undefined && a.access.index === b.access.index && JSON.stringify(a.tests) === JSON.stringify(b.tests)

function shardsOf(layout: Layout, access: Access, given: KeyValues, where: ReadWhere): Source[] {
  if (!access.partition) return nativeSource(layout, access, given, where)
  const shards = Array.from(
    { length: access.shards },
    (_, shard): KeyValues => (access.shards === 1 ? given : { ...given, [SHARD_SLOT]: { S: String(shard) } }),
  )
  return shards.flatMap(values => composedSource(layout, access, values, where))
}

/** Nothing where a range is empty. */
function composedSource(layout: Layout, access: Access, given: KeyValues, where: ReadWhere): Source[] {
  const { partition, sort } = access
  const place = placeOf(layout, access.index)
  const text = encode(partition!, given)
  const key = sort ? condition(sort, fromLeft(sort, { ...given, ...where.equal }), where.last?.part) : {}
  if (!key) return []
  return [
    {
      access,
      tests: [
        [place.partition, { equal: { S: text } }],
        ...(place.sort === undefined ? [] : ([[place.sort, textTest(key)]] as const)),
      ],
      partition: { [place.partition]: { S: text } },
      sort: place.sort === undefined ? [] : [place.sort],
      text,
      span: sort ? spanOf(key) : EVERYTHING,
      marks: [access.kind.mark],
      turned: false,
    },
  ]
}

/** The attributes themselves are the key: the type first, then what is given. */
function nativeSource(layout: Layout, access: Access, given: KeyValues, { equal, last }: ReadWhere): Source[] {
  const { design, names } = layout
  const { type, kind, name } = access
  const index = design.indexes.find(candidate => candidate.name === access.index)!
  const stored = (slot: string) => names.of(type, slot)
  const partition: Record<string, AttributeValue> = { [names.type]: { S: kind.mark } }
  for (const slot of access.given) {
    const value = given[slot]
    if (!value)
      throw new GraphError('read.part', `${type.name}.by.${name} needs '${slot}'`, { type: type.name, name: slot })
    partition[stored(slot)] = value
  }
  if (last && isEmpty(last.part)) return []
  const equals = access.parts.flatMap(slot => (equal[slot] ? [[stored(slot), { equal: equal[slot] }] as const] : []))
  return [
    {
      access,
      tests: [
        ...index.partition.map(attribute => [attribute, { equal: partition[attribute]! }] as const),
        ...equals,
        ...(last ? [[stored(last.slot), nativeTest(last.part)] as const] : []),
      ],
      partition,
      sort: index.sort,
      marks: [kind.mark],
      turned: false,
    },
  ]
}

type Last = NonNullable<ReadWhere['last']>['part']

function nativeTest(part: Last): KeyTest {
  if (!('startsWith' in part)) return part
  return part.startsWith === '' ? {} : { beginning: { S: part.startsWith } }
}

function isEmpty(part: Last): boolean {
  if ('startsWith' in part || !part.from || !part.to) return false
  const { from, to } = part
  if (from.S !== undefined && to.S !== undefined) return compareUtf8(from.S, to.S) > 0
  return from.N !== undefined && Number(from.N) > Number(to.N)
}

/** Whether items of other kinds can be met in what is read. */
export function isMixed(layout: Layout, { access, text, span, marks }: Source): boolean {
  if (text === undefined) return false
  return landing(layout, placeOf(layout, access.index), text).some(
    other => !marks.includes(other.kind.mark) && overlap(other.span, span!),
  )
}
