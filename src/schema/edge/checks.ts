import { formatValue, isPositiveInteger, rejectDeclarationIf } from '../checks/assertions.js'
import { checkAttributes, checkAttributeUse, innerMembersOf } from '../checks/attributes.js'
import { checkDistinct, checkIdentifier } from '../checks/names.js'
import type {
  AttributeKind,
  DeclaredAttribute,
  DeclaredCarry,
  DeclaredEdge,
  DeclaredEmbed,
  DeclaredEnd,
  DeclaredSum,
  DerivationMode,
} from '../declarations.js'
import { findEnd } from './ends.js'
import { hasStreamDerivedData } from './stream-derived-data.js'
import type { UntypedEdgeOptions } from './untyped-options.js'

/** Rejects an edge whose declaration contradicts itself. */
export function checkEdge(edge: DeclaredEdge, options: UntypedEdgeOptions): void {
  const { name: type, ends, attributes, key, carry, count, sum, embed, undirected } = edge
  const [first, second] = ends
  const names = ends.map(({ name }) => name)
  checkAttributes(
    edge,
    // TTL deletes the edge and its mirror at different times. Only the stream consumer repairs the one that remains.
    (ends.some(end => end.by.as === 'mirror') && !hasStreamDerivedData(edge) && 'mirror') ||
      (embed.length > 0 && 'embed') ||
      ([...count, ...sum].some(({ by }) => by !== 'stream') && 'counter kept by transaction'),
  )
  const parts = [...names, ...Object.keys(attributes), ...carry.map(({ copyName }) => copyName)]
  for (const [at, name] of parts.entries()) {
    checkIdentifier(name, `part of ${type}`)
    rejectDeclarationIf(
      type,
      parts.indexOf(name) < at,
      'edge.shadow',
      name,
      `'${name}' names two of its ends, attributes and carried attributes; rename one of them.`,
    )
  }
  const { by, onDelete, one = first.name } = options
  for (const name of [...Object.keys({ ...by, ...options.count, ...options.sum, ...options.embed, ...onDelete }), one])
    rejectDeclarationIf(
      type,
      !names.includes(name),
      'edge.end',
      name,
      `${formatValue(name)} is not one of its ends; give ${names.join(' or ')}.`,
    )
  rejectDeclarationIf(
    type,
    undirected && first.node !== second.node,
    'edge.undirected',
    second.name,
    'its ends are of two types; give both ends of an undirected edge the same node.',
  )
  checkTree(edge)
  checkClosure(edge, options)
  checkDistinct(key, `key of ${type}`)
  for (const name of key) checkAttributeUse(edge, name, 'key', false)
  for (const end of ends) checkOrder(edge, end, end === first ? second : first)
  for (const carried of carry) checkCarry(edge, carried)
  for (const rule of count) requireTargetAttribute(edge, rule, 'counter')
  for (const rule of sum) checkSum(edge, rule)
  for (const rule of embed) checkEmbed(edge, rule)
}

/** Rejects a tree whose nodes could have no parent of their own type, or several. */
function checkTree({ name, tree, ends, one, key, expires }: DeclaredEdge): void {
  const [first, second] = ends
  const fault = !tree
    ? undefined
    : first.node !== second.node
      ? `a tree joins nodes of one type; it leads from '${first.node.name}' to '${second.node.name}'.`
      : one === undefined
        ? `the tree does not name its child end; give one: '${first.name}' or one: '${second.name}'.`
        : key.length > 0
          ? `a child has one parent, so 'key' distinguishes nothing; drop 'key'.`
          : expires && `a parent that expires would leave its children behind; drop 'expires'.`
  rejectDeclarationIf(name, fault !== undefined, 'edge.tree', 'tree', fault ?? '')
}

/** The options of a closure. With any other, it would need writes by users. */
const CLOSURE_OPTIONS: ReadonlySet<string> = new Set(['closureOf', 'by'])

/** The attributes that a closure may declare, with their kinds. */
const CLOSURE_ATTRIBUTES: Readonly<Record<string, AttributeKind>> = { depth: 'integer', path: 'string' }

/** Rejects a closure that does not fit its tree, or that declares data that the consumer could not write. */
function checkClosure(edge: DeclaredEdge, options: UntypedEdgeOptions): void {
  if (options.closureOf === undefined) return
  const fault = findClosureFault(edge, options, options.closureOf?.declared)
  rejectDeclarationIf(edge.name, fault !== undefined, 'edge.closure', 'closureOf', fault ?? '')
}

function findClosureFault(
  { ends, attributes }: DeclaredEdge,
  options: UntypedEdgeOptions,
  tree: DeclaredEdge | undefined,
): string | undefined {
  if (!tree?.tree) return `'closureOf' is not an edge with tree: true; give the tree.`
  const [{ node }] = tree.ends
  const endNames = tree.ends.map(end => end.name)
  if (ends.some(end => end.node !== node || !endNames.includes(end.name)))
    return `its ends differ from those of '${tree.name}'; declare ${endNames.join(' and ')}, both of '${node.name}'.`
  const option = Object.keys(options).find(name => !CLOSURE_OPTIONS.has(name))
  if (option !== undefined) return `the stream consumer writes this edge, so '${option}' has no effect; drop it.`
  const name = Object.keys(attributes).find(each => attributes[each]!.kind !== CLOSURE_ATTRIBUTES[each])
  if (name !== undefined)
    return `the stream consumer has no value for '${name}'; declare only depth: integer() and path: string().`
  const hasSimpleId = node.id.length === 1 && !node.within
  if (attributes.path && !hasSimpleId)
    return `'path' joins ids with one part, but '${node.name}' has several; drop 'path'.`
  return undefined
}

/**
 * Rejects an order with an optional part: an index omits an edge that lacks it, so this end would not find the edge.
 */
function checkOrder(edge: DeclaredEdge, end: DeclaredEnd, other: DeclaredEnd): void {
  const { name, by } = end
  for (const part of by.order) if (part !== other.name) checkAttributeUse(edge, part, `by.${name}`, false)
  const fault = findAccessFault(edge, end, other)
  rejectDeclarationIf(`${edge.name}.by.${name}`, fault !== undefined, 'path.way', name, fault ?? '')
}

/** The reason why an end cannot be read by its declared access method, and the alternatives. */
function findAccessFault(
  edge: DeclaredEdge,
  { name, by, onDelete }: DeclaredEnd,
  other: DeclaredEnd,
): string | undefined {
  const { order, as, shards } = by
  const identityParts = [other.name, ...edge.key]
  const hasOwnOrder = order.join() !== identityParts.join()
  const foreignPart = order.find(part => !identityParts.includes(part))
  const advice = `declare as: 'index' or 'mirror'`
  switch (as) {
    case 'inverted':
      if (edge.undirected) return `an undirected edge cannot be inverted; ${advice}.`
      if (hasOwnOrder || shards > 1) return `an inverted end cannot have its own 'order' or 'shards'; ${advice}.`
      return undefined
    case 'native':
      if (edge.undirected) return `an undirected edge cannot be native; ${advice}.`
      if (edge.one === name && hasOwnOrder)
        return `each node has at most one edge here, so a native order sorts nothing; drop 'order', or ${advice}.`
      return undefined
    case 'local':
      return edge.undirected ? `an undirected edge cannot be local; ${advice}.` : undefined
    case 'none':
      if (onDelete === 'leave') return undefined
      return `an end that is not read cannot find edges to ${onDelete} when its node is deleted; ${advice}.`
    case 'adjacent':
      if (other.by.as === as) return `both ends are adjacent, and an edge is stored at one of them; ${advice} here.`
      if (foreignPart !== undefined) return `an adjacent end cannot be sorted by '${foreignPart}'; ${advice}.`
      return undefined
    default:
      return undefined
  }
}

/**
 * Whether an edge carries a counter of its child. Only a tree allows this: elsewhere, a sum of carried counters could be
 * a part of itself.
 */
const carriesSubtree = (
  { tree, one }: DeclaredEdge,
  { end, sync }: Pick<DeclaredCarry, 'end' | 'sync'>,
  { kind }: DeclaredAttribute,
): boolean => tree && end === one && sync !== undefined && kind === 'counter'

function checkCarry(edge: DeclaredEdge, { copyName, end, attribute: name, sync }: DeclaredCarry): void {
  const node = findEnd(edge, end)?.node
  const attribute = node?.attributes[name]
  const source = `${end}.${name}`
  rejectDeclarationIf(
    edge.name,
    !attribute || (attribute.derived && !carriesSubtree(edge, { end, sync }, attribute)),
    'edge.carry',
    copyName,
    `'${source}' cannot be carried; give an attribute of an end, such as 'actor.born'.`,
  )
  rejectDeclarationIf(
    edge.name,
    !sync && !attribute!.immutable && !node!.id.includes(name),
    'edge.carry.sync',
    copyName,
    `'${source}' can change; make it immutable(), or give { from: '${source}', sync: 'eventual' }.`,
  )
}

function checkSum(edge: DeclaredEdge, sum: DeclaredSum): void {
  const { of, into, by } = sum
  requireTargetAttribute(edge, sum, 'counter')
  const carried = edge.carry.find(({ copyName }) => copyName === of)
  rejectDeclarationIf(
    edge.name,
    of === undefined,
    'edge.count',
    into,
    `'${into}' does not say what it sums; name a number() or an integer() as 'of'.`,
  )
  const kind = (carried ? carriedAttributeOf(edge, carried) : edge.attributes[of])?.kind
  rejectDeclarationIf(
    edge.name,
    kind !== 'number' && kind !== 'integer' && !(carried && kind === 'counter'),
    'edge.count',
    of,
    `'${into}' cannot sum '${of}'; sum a number() or an integer() that the edge has or carries.`,
  )
  // The stream updates the copy, and no transaction of a writer could update the sum together with it.
  rejectDeclarationIf(
    edge.name,
    carried?.sync !== undefined && by !== 'stream',
    'edge.count',
    of,
    `'${into}' sums '${of}' by transaction, but the stream changes this copy; sum it by: 'stream', or carry an immutable() attribute.`,
  )
}

/** The source attribute of a carried copy. */
const carriedAttributeOf = (edge: DeclaredEdge, { end, attribute }: DeclaredCarry): DeclaredAttribute | undefined =>
  findEnd(edge, end)?.node.attributes[attribute]

/** Rejects embedded entries with members that the edge neither declares nor carries. */
function checkEmbed(edge: DeclaredEdge, embed: DeclaredEmbed): void {
  const { into, max } = embed
  const { members } = requireTargetAttribute(edge, embed, 'embedded')
  rejectDeclarationIf(
    edge.name,
    !isPositiveInteger(max),
    'edge.embed.max',
    into,
    `'${into}' has no maximum number of entries; give 'max'.`,
  )
  for (const [name, member] of Object.entries(members!)) {
    const carried = edge.carry.find(({ copyName }) => copyName === name)
    const source = carried ? carriedAttributeOf(edge, carried) : edge.attributes[name]
    rejectDeclarationIf(
      edge.name,
      !canBeFilledFrom(member, source),
      'edge.embed',
      name,
      `'${into}' holds '${name}', which the edge lacks or has in another form; declare or carry it as the same ${member.kind}().`,
    )
  }
}

/** Whether a stored value of the source can be read as the member. Inner values are copied as they are stored. */
function canBeFilledFrom(member: DeclaredAttribute, source: DeclaredAttribute | undefined): boolean {
  if (!member.optional && source?.optional !== false) return false
  return (
    !source ||
    (source.kind === member.kind &&
      Object.entries(innerMembersOf(member)).every(([name, innerMember]) => {
        const sourceMember = innerMembersOf(source)[name]
        return canBeFilledFrom(innerMember, sourceMember) && sourceMember?.storedAs === innerMember.storedAs
      }))
  )
}

/** Returns the attribute of an end that holds derived data; throws if it is not of the expected kind. */
function requireTargetAttribute(
  edge: DeclaredEdge,
  { end, into, by }: Pick<DeclaredEmbed, 'end' | 'into'> & { readonly by?: DerivationMode },
  kind: string,
): DeclaredAttribute {
  const { name, attributes, expires } = findEnd(edge, end)!.node
  const attribute = attributes[into]
  rejectDeclarationIf(
    edge.name,
    attribute?.kind !== kind,
    'edge.into',
    into,
    `'${into}' of ${name} is not a ${kind}(); declare it as ${kind}().`,
  )
  rejectDeclarationIf(
    name,
    expires && by !== 'stream',
    'option.expires',
    into,
    `'${into}' cannot be maintained by transaction, because TTL deletes its node; remove 'expires' or the rule.`,
  )
  return attribute!
}
