import type { Access } from '../layout/access.js'
import { NODE_SORT } from '../layout/default-keys.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { referencesOf } from '../layout/members.js'
import { TENANT_SLOT } from '../layout/slots.js'
import { after } from '../layout/template-condition.js'
import { compareUtf8 } from '../layout/template-order.js'
import { parseTemplate } from '../layout/template-parse.js'
import type { Finding } from './findings.js'

/** A kind in a partition, with the stretch of sort keys that it lies in. */
interface Lying {
  readonly kind: Kind
  readonly low: string
  readonly high: string | undefined
}

/**
 * Where given keys make two requests of a `collect` of a node and one kind of what lies beside it: another kind lies
 * between them, or the node lies behind, so that a Query with a limit ends before it. By default a node lies first, but
 * before what is given a key that sorts before its own, and nobody has chosen in which order the others do.
 */
export function splitCollections({ kinds, accesses, names }: Layout): Finding[] {
  const partitionOf = (kind: Kind) => literalsOf(kind.keys[names.partition]!.source)
  // Without a sort key a partition holds one item.
  if (!names.sort) return []
  return kinds.flatMap(node => {
    const { role, type, keys } = node
    const isGiven = bare(keys[names.sort]!.source) !== NODE_SORT
    if (role !== 'node' || type.kind !== 'node' || type.within) return []
    const beside = kinds.filter(kind => partitionOf(kind) === partitionOf(node))
    const lying = beside.map((kind): Lying => ({ kind, ...stretchOf(kind.keys[names.sort]!.source) }))
    const own = lying.find(({ kind }) => kind === node)!
    return accesses
      .filter(access => !access.index && access.shards === 1 && startsAt(node, access))
      .flatMap(access => {
        const part = lying.find(({ kind }) => kind === access.kind && kind !== node)
        return part && (isGiven || isBefore(part, own)) ? splitOf(own, part, lying, isOne(access)) : []
      })
  })
}

function splitOf(node: Lying, part: Lying, all: readonly Lying[], isOne: boolean): Finding[] {
  const [low, high] = compareUtf8(node.low, part.low) < 0 ? [node, part] : [part, node]
  const between = all.filter(
    other => other !== node && other !== part && !isBefore(other, low) && !isBefore(high, other),
  )
  const [own, others] = [node.kind.name, part.kind.name]
  const met = between.map(({ kind }) => kind.name).join(' and ')
  if (between.length === 0 && (high === part || isOne)) return []
  const message =
    between.length > 0
      ? `In a partition of ${own}, ${met} can lie between the node and its ${others}: collect() reads the two by one Query only if it is asked for all of them, and else gets the node by a request of its own. Give them sort keys next to each other.`
      : `In a partition of ${own}, the node lies behind its ${others}: collect() with a limit reads both by one Query only in reverse, and else gets the node by a request of its own. Give it a sort key before theirs.`
  return [{ code: 'collection.split', refused: false, kind: own, message }]
}

/** Whether all of one is before all of the other. */
const isBefore = (one: Lying, other: Lying) => one.high !== undefined && compareUtf8(one.high, other.low) < 0

/** Of one edge there is no limit. */
const isOne = ({ type, name }: Access) => type.kind === 'edge' && type.one === name

const startsAt = ({ type }: Kind, access: Access) =>
  referencesOf(access.type).some(
    ({ name, node }) => node === type && (access.type.kind === 'node' || name === access.name),
  )

function stretchOf(sort: string): { low: string; high: string | undefined } {
  const { literals, names } = parseTemplate({ source: bare(sort) })
  const low = literals[0]!
  return { low, high: names.length > 0 ? after(low) : low }
}

/** The same of two templates by which the same values make the same key. */
export const literalsOf = (template: string): string => JSON.stringify(parseTemplate({ source: template }).literals)

/** The tenant is the same for all of a partition. */
export const bare = (template: string) => template.replace(`{${TENANT_SLOT}}#`, '')
