import type { Way } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { PathDraft } from './drafts.js'
import type { Index } from './indexes.js'
import type { Kind } from './kinds.js'
import type { Names } from './names.js'
import { type DeclaredType, SHARD_SLOT, TENANT_SLOT } from './slots.js'
import type { Template } from './template.js'

/** How a path is read: from where, by which keys, and what can be said of its order. */
export interface Access {
  readonly type: DeclaredType
  readonly name: string
  readonly way: Way
  /** The kind of item that it finds. */
  readonly kind: Kind
  /** The index that it reads, or the table itself. */
  readonly index: string | undefined
  /** Undefined on an index of native keys, whose parts are attributes. */
  readonly partition: Template | undefined
  readonly sort: Template | undefined
  /** The slots that a read must give. */
  readonly given: readonly string[]
  /** The slots that it is sorted by, in order: `where` gives them from the left. */
  readonly parts: readonly string[]
  readonly shards: number
  /** Whether it can be read strongly consistently. */
  readonly consistent: boolean
}

interface Source {
  readonly index: Index | undefined
  readonly partition: Template | undefined
  readonly sort: Template | undefined
  readonly parts: readonly string[]
}

/** Which of the table and its indexes serves a path: the first, in the way it asks for, whose keys fit. */
export function accessOf(path: PathDraft, kinds: readonly Kind[], indexes: readonly Index[], names: Names): Access {
  const kind = kinds.find(({ name }) => name === path.kind)!
  const sources = path.way === 'native' ? nativeSources(path, indexes) : keySources(path, kind, indexes, names)
  const source = sources.find(({ index }) => isOfWay(path.way, kind, index)) ?? sources[0]
  if (!source)
    throw new GraphError(
      'layout.path',
      `${path.type.name}.by.${path.name} cannot be read with these keys: give ${kind.name} a key whose partition is made of ` +
        `${path.given.join(', ') || 'nothing that varies'}${path.order.length > 0 ? ` and which sorts by ${path.order.join(', ')}` : ''}`,
      { type: path.type.name, name: path.name },
    )
  const { index, partition, sort, parts } = source
  const { type, name, way, given, shards } = path
  const consistent = index === undefined || index.kind === 'local'
  return { type, name, way, kind, index: index?.name, partition, sort, given, parts, shards, consistent }
}

function isOfWay(way: Way, kind: Kind, index: Index | undefined): boolean {
  if (way === 'local') return index?.kind === 'local'
  const onTable = way === 'adjacent' || way === 'mirror' || kind.role === 'unique'
  return onTable ? index === undefined : index?.kind === 'global'
}

function nativeSources({ type, name, order }: PathDraft, indexes: readonly Index[]): Source[] {
  const index = indexes.find(candidate => candidate.name === `${type.name}_${name}`)
  return index ? [{ index, partition: undefined, sort: undefined, parts: order }] : []
}

function keySources(path: PathDraft, kind: Kind, indexes: readonly Index[], names: Names): Source[] {
  const table = { index: undefined, attributes: [names.partition, names.sort] as const }
  const places = [
    table,
    ...indexes
      .filter(({ native }) => !native)
      .map(index => ({ index, attributes: [index.partition[0]!, index.sort[0]] as const })),
  ]
  return places.flatMap(({ index, attributes: [partitionAttribute, sortAttribute] }) => {
    const partition = kind.keys[partitionAttribute]
    const sort = sortAttribute === undefined ? undefined : kind.keys[sortAttribute]
    if (!partition || (sortAttribute !== undefined && !sort)) return []
    const parts = partsOf(path, partition, sort)
    return parts ? [{ index, partition, sort, parts }] : []
  })
}

/** The slots left to sort by, where the partition is made of what is given and the order asked for comes first. */
function partsOf({ given, order }: PathDraft, partition: Template, sort: Template | undefined): string[] | undefined {
  const inPartition = slotNames(partition)
  if (inPartition.some(slot => !given.includes(slot))) return undefined
  const sorted = sort ? slotNames(sort) : []
  const head = given.filter(slot => !inPartition.includes(slot))
  if (sorted.slice(0, head.length).some(slot => !head.includes(slot))) return undefined
  const parts = sorted.slice(head.length).filter(slot => !given.includes(slot))
  return order.every((slot, i) => parts[i] === slot || given.includes(slot)) ? parts : undefined
}

function slotNames({ slots }: Template): string[] {
  return slots.map(({ name }) => name).filter(name => name !== TENANT_SLOT && name !== SHARD_SLOT)
}
