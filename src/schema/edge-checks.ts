import type {
  DeclaredAttribute,
  DeclaredCarry,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredEnd,
  DeclaredSum,
  Keeper,
} from './declared.js'
import type { GivenOptions } from './edge-given.js'
import { endNamed } from './ends.js'
import { keptByStream } from './kept-by-stream.js'
import { checkDistinct, checkName } from './names.js'
import { checkAttributes, checkPart, membersIn } from './parts.js'
import { isCount, refuse, shown } from './refusal.js'

/** Refuses an edge that could not be kept as it is declared. */
export function checkEdge(edge: DeclaredEdge, options: GivenOptions): void {
  const { name: type, ends, attributes, key, carry, count, sum, embed, undirected } = edge
  const [first, second] = ends
  const names = ends.map(({ name }) => name)
  checkAttributes(
    edge,
    // The stream brings a mirror in line that TTL leaves, or lacks.
    (ends.some(end => end.by.as === 'mirror') && !keptByStream(edge) && 'mirror') ||
      (embed[0] && 'embed') ||
      ([...count, ...sum].some(({ by }) => by !== 'stream') && 'counter kept by transaction'),
  )
  const parts = [...names, ...Object.keys(attributes), ...carry.map(({ as }) => as)]
  for (const [at, name] of parts.entries()) {
    checkName(name, `a part of ${type}`)
    refuse(type, parts.indexOf(name) < at, 'edge.shadow', name, `it has '${name}' twice: rename one`)
  }
  const { by, onDelete, one = first.name } = options
  for (const name of [...Object.keys({ ...by, ...options.count, ...options.sum, ...options.embed, ...onDelete }), one])
    refuse(type, !names.includes(name), 'edge.end', name, `give one of its ends, ${names}, instead of ${shown(name)}`)
  refuse(
    type,
    undirected && first.node !== second.node,
    'edge.undirected',
    second.name,
    'give undirected ends of one type',
  )
  checkDistinct(key, `the key of ${type}`)
  for (const name of key) checkPart(edge, name, 'key', false)
  for (const end of ends) checkOrder(edge, end, end === first ? second : first)
  for (const each of carry) checkCarry(edge, each)
  for (const each of count) target(edge, each, 'counter')
  for (const each of sum) checkSum(edge, each)
  for (const each of embed) checkEmbed(edge, each)
}

/** An edge without a part of its order would not be found from that end. */
function checkOrder(edge: DeclaredEdge, end: DeclaredEnd, other: DeclaredEnd): void {
  const { name, by } = end
  for (const part of by.order) if (part !== other.name) checkPart(edge, part, `by.${name}`, false)
  const fault = wayFault(edge, end, other)
  refuse(`${edge.name}.by.${name}`, fault !== undefined, 'path.way', name, fault ?? '')
}

/** Why an end cannot be read in the way that it declares, and what to declare instead. */
function wayFault(edge: DeclaredEdge, { name, by, onDelete }: DeclaredEnd, other: DeclaredEnd): string | undefined {
  const { order, as, shards } = by
  const own = [other.name, ...edge.key]
  const hasOwnOrder = order.join() !== own.join()
  const stray = order.find(part => !own.includes(part))
  const instead = `say 'index' or 'mirror'`
  switch (as) {
    case 'inverted':
      if (edge.undirected) return `an undirected edge cannot be inverted; ${instead}.`
      if (hasOwnOrder || shards > 1) return `an inverted end cannot have its own 'order' or 'shards'; ${instead}.`
      return undefined
    case 'native':
      if (edge.undirected) return `an undirected edge cannot be native; ${instead}.`
      if (edge.one === name && hasOwnOrder)
        return `each node has at most one such edge, so a native order sorts nothing; drop 'order', or ${instead}.`
      return undefined
    case 'local':
      return edge.undirected ? `an undirected edge cannot be local; ${instead}.` : undefined
    case 'none':
      if (onDelete === 'leave') return undefined
      return `an end that is not read cannot find edges to ${onDelete} when its node is deleted; ${instead}.`
    case 'adjacent':
      if (other.by.as === as) return `both ends are adjacent, and an edge is stored at one of them; ${instead} here.`
      if (stray !== undefined) return `an adjacent end cannot be sorted by '${stray}'; ${instead}.`
      return undefined
    default:
      return undefined
  }
}

function checkCarry(edge: DeclaredEdge, { as, end, attribute: name, sync }: DeclaredCarry): void {
  const node = endNamed(edge, end)?.node
  const attribute = node?.attributes[name]
  const from = `${end}.${name}`
  refuse(
    edge.name,
    !attribute || attribute.derived,
    'edge.carry',
    as,
    `give an end's attribute, as 'actor.born', instead of '${from}'`,
  )
  refuse(
    edge.name,
    !sync && !attribute!.immutable && !node!.id.includes(name),
    'edge.carry.sync',
    as,
    `'${from}' can change: make it immutable(), or say { from: '${from}', sync: 'eventual' }`,
  )
}

function checkSum(edge: DeclaredEdge, sum: DeclaredSum): void {
  const { of, into, by } = sum
  target(edge, sum, 'counter')
  const carried = edge.carry.find(({ as }) => as === of)
  refuse(
    edge.name,
    of === undefined,
    'edge.count',
    into,
    `'${into}' does not say what it sums; name a number() or an integer() as 'of'.`,
  )
  const kind = (carried ? sourceOf(edge, carried) : edge.attributes[of])?.kind
  refuse(
    edge.name,
    kind !== 'number' && kind !== 'integer',
    'edge.count',
    of,
    `'${into}' cannot sum '${of}'; sum a number() or an integer() that the edge has or carries.`,
  )
  // The stream brings up the copy, and no transaction of a writer would bring up its sum with it.
  refuse(
    edge.name,
    carried?.sync !== undefined && by !== 'stream',
    'edge.count',
    of,
    `'${into}' sums '${of}' by transaction, but the stream changes this copy; sum it by: 'stream', or carry an immutable() attribute.`,
  )
}

/** The attribute that is carried. */
const sourceOf = (edge: DeclaredEdge, { end, attribute }: DeclaredCarry): DeclaredAttribute | undefined =>
  endNamed(edge, end)?.node.attributes[attribute]

/** An entry is filled from what the edge itself has: its attributes, and what it carries. */
function checkEmbed(edge: DeclaredEdge, embed: DeclaredEmbed): void {
  const { into, max } = embed
  const { members } = target(edge, embed, 'embedded')
  refuse(edge.name, !isCount(max), 'edge.embed.max', into, `give 'max', the most that '${into}' may hold`)
  for (const [name, member] of Object.entries(members!)) {
    const carried = edge.carry.find(({ as }) => as === name)
    const source = carried ? sourceOf(edge, carried) : edge.attributes[name]
    refuse(
      edge.name,
      !isFilledBy(member, source),
      'edge.embed',
      name,
      `declare or carry '${name}', which '${into}' holds, as the same ${member.kind}()`,
    )
  }
}

/** Whether what is stored of the one can be read as the other: what is within it lies there as it is. */
function isFilledBy(member: DeclaredAttribute, source: DeclaredAttribute | undefined): boolean {
  if (!member.optional && source?.optional !== false) return false
  return (
    !source ||
    (source.kind === member.kind &&
      Object.entries(membersIn(member)).every(([name, each]) => {
        const own = membersIn(source)[name]
        return isFilledBy(each, own) && own?.storedAs === each.storedAs
      }))
  )
}

/** The attribute of an end that holds derived data. */
function target(
  edge: DeclaredEdge,
  { end, into, by }: Pick<DeclaredEmbed, 'end' | 'into'> & { readonly by?: Keeper },
  kind: string,
): DeclaredAttribute {
  const { name, attributes, expires } = endNamed(edge, end)!.node
  const found = attributes[into]
  refuse(edge.name, found?.kind !== kind, 'edge.into', into, `declare '${into}' of ${name} as ${kind}()`)
  refuse(name, expires && by !== 'stream', 'option.expires', into, `TTL would lose its '${into}': drop one`)
  return found!
}
