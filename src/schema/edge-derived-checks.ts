import type {
  DeclaredAttribute,
  DeclaredCarry,
  DeclaredCount,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredSum,
} from './declared.js'
import { declarationError } from './error.js'

function endOf({ ends }: DeclaredEdge, name: string) {
  return ends.find(end => end.name === name)
}

export function checkCarry(edge: DeclaredEdge, { as, end, attribute: name, sync }: DeclaredCarry): void {
  const node = endOf(edge, end)?.node
  const source = `${end}.${name}`
  const attribute = node?.attributes[name]
  if (!node || !attribute || attribute.derived)
    throw declarationError(
      'edge.carry',
      edge.name,
      as,
      `${edge.name} cannot carry '${source}': name an end and an attribute, as in 'actor.born'`,
    )
  if (!sync && !attribute.immutable && !node.id.includes(name))
    throw declarationError(
      'edge.carry.sync',
      edge.name,
      as,
      `'${source}' can change: make it immutable(), or say how its copies follow: { from: '${source}', sync: 'eventual' }`,
    )
}

export function checkCount(edge: DeclaredEdge, count: DeclaredCount | DeclaredSum): void {
  const { node } = endOf(edge, count.end)!
  checkTarget(edge, count, 'counter')
  if (!('of' in count)) return
  const { kind } = edge.attributes[count.of] ?? {}
  if (kind !== 'number' && kind !== 'integer')
    throw declarationError(
      'edge.count',
      edge.name,
      count.of,
      `${node.name}.${count.into} sums '${count.of}': declare it as number() or integer() of ${edge.name}`,
    )
}

export function checkEmbed(edge: DeclaredEdge, embed: DeclaredEmbed): void {
  const { members } = checkTarget(edge, embed, 'embedded')
  const { into, max } = embed
  if (!Number.isSafeInteger(max) || max < 1)
    throw declarationError(
      'edge.embed.max',
      edge.name,
      into,
      `${edge.name} embeds into '${into}': give 'max', the most entries that it may hold`,
    )
  for (const [name, member] of Object.entries(members!)) checkEntry(edge, into, name, member)
}

/** The attribute of an end that holds derived data. */
function checkTarget(
  edge: DeclaredEdge,
  { end, into }: DeclaredCount | DeclaredEmbed,
  kind: 'counter' | 'embedded',
): DeclaredAttribute {
  const { node } = endOf(edge, end)!
  const target = node.attributes[into]
  if (target?.kind === kind) return target
  throw declarationError(
    'edge.into',
    edge.name,
    into,
    `${edge.name} writes '${into}' of ${node.name}: declare it as ${kind}() there`,
  )
}

/** An entry is filled from what the edge itself has: its attributes, and what it carries. */
function checkEntry(edge: DeclaredEdge, into: string, name: string, member: DeclaredAttribute): void {
  const carried = edge.carry.find(({ as }) => as === name)
  const source = carried ? endOf(edge, carried.end)!.node.attributes[carried.attribute] : edge.attributes[name]
  if (source ? source.kind === member.kind && (member.optional || !source.optional) : member.optional) return
  throw declarationError(
    'edge.embed',
    edge.name,
    name,
    `an entry of '${into}' needs '${name}' as ${member.kind}: give ${edge.name} such an attribute, or carry one`,
  )
}
