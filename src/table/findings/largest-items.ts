import { CONTAINER_BYTES, countUtf8Bytes, ELEMENT_BYTES } from '../../dynamodb/size.js'
import type { KindDesign } from '../../layout/design.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { idSlots } from '../../layout/slots.js'
import type { DeclaredAttribute, DeclaredAttributes, DeclaredEdge, DeclaredEmbed } from '../../schema/declarations.js'

/** The assumed size of a text, a date, bytes or a list, whose length is not declared. */
const TEXT_BYTES = 32
const NUMBER_BYTES = 8
const ULID_BYTES = 26

/** Returns the kinds of a layout. Kinds with embedded entries have an estimate of their maximum size. */
export function kindDesignsOf({ kinds, graph, names }: Layout): KindDesign[] {
  return kinds.map(kind => ({
    name: kind.name,
    partition: kind.keys[names.partition]!.source,
    sort: kind.keys[names.sort]?.source,
    ...largestItemOf(kind, graph.declared.edges),
  }))
}

function largestItemOf({ role, type }: Kind, edges: readonly DeclaredEdge[]): Partial<KindDesign> | undefined {
  const embeds = edges.flatMap(edge =>
    edge.embed
      .filter(({ end }) => edge.ends.some(({ name, node }) => name === end && node === type))
      .map(embed => ({ edge, embed })),
  )
  if (role !== 'node' || embeds.length === 0) return undefined
  const entries = embeds.reduce(
    (sum, { edge, embed }) => sum + embed.max * estimateEntryBytes(type.attributes, edge, embed),
    0,
  )
  const reason = embeds.map(({ embed: { into, max } }) => `${max} entries of ${into}`).join(' and ')
  return {
    largestBytes: entries + estimateMembersBytes(type.attributes),
    largestReason: `${reason} whose texts have ${TEXT_BYTES} bytes`,
  }
}

/** The name of an entry consists of the neighbor's id and the edge's key. */
function estimateEntryBytes(
  attributes: DeclaredAttributes,
  { ends, key }: DeclaredEdge,
  { end, into }: DeclaredEmbed,
): number {
  const { node } = ends.find(({ name }) => name !== end)!
  const name = (idSlots(node).length + key.length) * TEXT_BYTES
  return name + ELEMENT_BYTES + CONTAINER_BYTES + estimateMembersBytes(attributes[into]!.members!)
}

function estimateMembersBytes(members: DeclaredAttributes): number {
  return Object.entries(members)
    .map(([name, member]) => countUtf8Bytes(member.storedAs ?? name) + ELEMENT_BYTES + estimateValueBytes(member))
    .reduce((sum, bytes) => sum + bytes, 0)
}

function estimateValueBytes({ kind, values = [], format, members, mapped }: DeclaredAttribute): number {
  switch (kind) {
    case 'boolean':
      return 1
    case 'number':
    case 'integer':
    case 'bigint':
    case 'decimal':
    case 'counter':
      return NUMBER_BYTES
    case 'ulid':
      return ULID_BYTES
    case 'day':
    case 'yearMonth':
    case 'fixedText':
      return format!.positions.length
    case 'oneOf':
      return Math.max(...values.map(value => countUtf8Bytes(value)))
    case 'map':
      return CONTAINER_BYTES + estimateMembersBytes(members!)
    case 'embedded':
      return CONTAINER_BYTES
    case 'mapped':
    case 'summary':
      return estimateValueBytes(mapped!.inner)
    default:
      return TEXT_BYTES
  }
}
