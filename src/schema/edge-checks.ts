import type {
  DeclaredAttribute,
  DeclaredCarry,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredEnd,
  DeclaredSum,
} from './declared.js'
import type { GivenOptions } from './edge-given.js'
import { keptByStream } from './kept-by-stream.js'
import { checkDistinct, checkName } from './names.js'
import { checkAttributes, checkPart } from './parts.js'
import { refusing } from './refusal.js'

/** Refuses an edge that could not be kept as it is declared. */
export function checkEdge(edge: DeclaredEdge, options: GivenOptions): void {
  const { name: type, ends, attributes, key, carry, count, sum, embed, undirected } = edge
  const [first, second] = ends
  const refuse = refusing(type)
  const names = ends.map(end => end.name)
  checkAttributes(
    edge,
    // The stream brings a mirror in line that TTL leaves, or lacks.
    (ends.some(end => end.by.as === 'mirror') && !keptByStream(edge) && 'mirror') ||
      (embed.length > 0 && 'embed') ||
      ([...count, ...sum].some(({ by }) => by === 'transaction') && 'counter kept by transaction'),
  )
  const parts = [...names, ...Object.keys(attributes), ...carry.map(({ as }) => as)]
  for (const [at, name] of parts.entries()) {
    checkName(name, `a part of ${type}`)
    refuse(parts.indexOf(name) < at, 'edge.shadow', name, `it has '${name}' twice: rename one`)
  }
  const { by, one, onDelete } = options
  const named = [by, options.count, options.sum, options.embed, onDelete, one === undefined ? {} : { [one]: 1 }]
  for (const name of named.flatMap(option => Object.keys(option ?? {})))
    refuse(!names.includes(name), 'edge.end', name, `give one of its ends, ${names.join(', ')}, instead of '${name}'`)
  refuse(undirected && first.node !== second.node, 'edge.undirected', second.name, 'give undirected ends of one type')
  checkDistinct(key, `the key of ${type}`)
  for (const name of key) checkPart(edge, name, 'key', false)
  checkOrder(edge, first, second)
  checkOrder(edge, second, first)
  for (const each of carry) checkCarry(edge, each)
  for (const each of [...count, ...sum]) checkCount(edge, each)
  for (const each of embed) checkEmbed(edge, each)
}

/** An edge without a part of its order would not be found from that end. */
function checkOrder(edge: DeclaredEdge, { name, by, onDelete }: DeclaredEnd, other: DeclaredEnd): void {
  const refuse = refusing(`${edge.name}.by.${name}`)
  refuse(by.in.length > 0, 'path.parts', name, `say 'order' without 'in'`)
  for (const part of by.order) if (part !== other.name) checkPart(edge, part, `by.${name}`, false)
  const isTurned = by.as === 'inverted' || by.as === 'native' || by.as === 'local'
  refuse(edge.undirected && isTurned, 'path.way', name, `undirected, it cannot be ${by.as}: say 'mirror' or 'index'`)
  const isOwn = by.order.join() === [other.name, ...edge.key].join()
  refuse(
    by.as === 'inverted' && !(isOwn && by.shards === 1),
    'path.way',
    name,
    `inverted, it sorts as its key does: drop 'order' and 'shards', or say 'index'`,
  )
  refuse(
    by.as === 'none' && onDelete !== 'leave',
    'path.way',
    name,
    `edges that ${onDelete} must be found from here: say another way than 'none'`,
  )
  if (by.as !== 'adjacent') return
  refuse(other.by.as === by.as, 'path.way', name, `it cannot be adjacent to both ends: say 'mirror'`)
  const part = by.order.find(each => each !== other.name && !edge.key.includes(each))
  refuse(part, 'path.way', name, `adjacent, it cannot sort by '${part}': say 'index' or 'mirror'`)
}

const nodeAt = ({ ends }: DeclaredEdge, name: string) => ends.find(end => end.name === name)?.node

function checkCarry(edge: DeclaredEdge, { as, end, attribute: name, sync }: DeclaredCarry): void {
  const refuse = refusing(edge.name)
  const node = nodeAt(edge, end)
  const attribute = node?.attributes[name]
  const from = `${end}.${name}`
  refuse(
    !attribute || attribute.derived,
    'edge.carry',
    as,
    `give an end's attribute, as 'actor.born', instead of '${from}'`,
  )
  refuse(
    !sync && !attribute!.immutable && !node!.id.includes(name),
    'edge.carry.sync',
    as,
    `'${from}' can change: make it immutable(), or say { from: '${from}', sync: 'eventual' }`,
  )
}

function checkCount(edge: DeclaredEdge, count: Omit<DeclaredSum, 'of'> & { readonly of?: string }): void {
  const { of = '', into } = count
  target(edge, count, 'counter')
  const { kind } = edge.attributes[of] ?? {}
  const isNumber = kind === 'number' || kind === 'integer'
  refusing(edge.name)(
    of && !isNumber,
    'edge.count',
    of,
    `declare '${of}', which '${into}' sums, as number() or integer()`,
  )
}

/** An entry is filled from what the edge itself has: its attributes, and what it carries. */
function checkEmbed(edge: DeclaredEdge, embed: DeclaredEmbed): void {
  const refuse = refusing(edge.name)
  const { into, max } = embed
  const { members } = target(edge, embed, 'embedded')
  refuse(!Number.isSafeInteger(max) || max < 1, 'edge.embed.max', into, `give 'max', the most that '${into}' may hold`)
  for (const [name, { kind, optional }] of Object.entries(members!)) {
    const carried = edge.carry.find(({ as }) => as === name)
    const source = carried ? nodeAt(edge, carried.end)!.attributes[carried.attribute] : edge.attributes[name]
    const filled = source ? source.kind === kind && (optional || !source.optional) : optional
    refuse(!filled, 'edge.embed', name, `declare or carry '${name}', which '${into}' holds, as ${kind}()`)
  }
}

/** The attribute of an end that holds derived data. */
function target(
  edge: DeclaredEdge,
  { end, into }: Pick<DeclaredEmbed, 'end' | 'into'>,
  kind: string,
): DeclaredAttribute {
  const { name, attributes } = nodeAt(edge, end)!
  const found = attributes[into]
  refusing(edge.name)(found?.kind !== kind, 'edge.into', into, `declare '${into}' of ${name} as ${kind}()`)
  return found!
}
