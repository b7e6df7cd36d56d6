import { checkAttributeNames, checkExpires, checkPart } from './attribute-checks.js'
import type { DeclaredEdge, DeclaredEnd } from './declared.js'
import { checkCarry, checkCount, checkEmbed } from './edge-derived-checks.js'
import type { GivenOptions } from './edge-given.js'
import { declarationError } from './error.js'
import { checkDistinct, checkName } from './names.js'

/** Refuses an edge that could not be kept as it is declared. */
export function checkEdge(edge: DeclaredEdge, options: GivenOptions): void {
  checkName(edge.name, 'an edge')
  checkAttributeNames(edge)
  checkShadows(edge)
  checkEndNames(edge, options)
  checkDirection(edge)
  checkDistinct(edge.key, `the key of ${edge.name}`)
  for (const name of edge.key) checkPart(edge, name, 'key', 'not be missing')
  for (const end of edge.ends) checkOrder(edge, end)
  checkWays(edge)
  for (const carry of edge.carry) checkCarry(edge, carry)
  for (const count of [...edge.count, ...edge.sum]) checkCount(edge, count)
  for (const embed of edge.embed) checkEmbed(edge, embed)
  checkExpires(edge, edge.expires, leftBehind(edge))
}

function checkShadows({ name: type, ends, attributes, carry }: DeclaredEdge): void {
  const taken = new Set<string>()
  for (const name of [...ends.map(end => end.name), ...Object.keys(attributes), ...carry.map(({ as }) => as)]) {
    checkName(name, `a part of ${type}`)
    if (taken.has(name))
      throw declarationError(
        'edge.shadow',
        type,
        name,
        `${type} has an end and an attribute, or two attributes, named '${name}': rename one`,
      )
    taken.add(name)
  }
}

function checkEndNames({ name: type, ends }: DeclaredEdge, options: GivenOptions): void {
  const { by, count, sum, embed, onDelete, one } = options
  const named = [by, count, sum, embed, onDelete].flatMap(option => Object.keys(option ?? {}))
  for (const name of one === undefined ? named : [...named, one])
    if (!ends.some(end => end.name === name))
      throw declarationError(
        'edge.end',
        type,
        name,
        `${type} has no end '${name}': it has ${ends.map(end => end.name).join(', ')}`,
      )
}

function checkDirection({ name: type, ends: [first, second], undirected }: DeclaredEdge): void {
  if (undirected && first.node !== second.node)
    throw declarationError('edge.undirected', type, second.name, `${type} is undirected and joins two types: join one`)
}

/** An edge without a part of its order would not be found from that end. */
function checkOrder(edge: DeclaredEdge, end: DeclaredEnd): void {
  const other = edge.ends.find(each => each !== end)!
  if (end.by.in.length > 0)
    throw declarationError(
      'path.parts',
      edge.name,
      end.name,
      `${edge.name}.by.${end.name} has 'in': a node's edges are one partition, so say 'order' alone`,
    )
  for (const part of end.by.order) if (part !== other.name) checkPart(edge, part, `by.${end.name}`, 'not be missing')
}

function checkWays({ name: type, ends, key }: DeclaredEdge): void {
  const adjacent = ends.filter(end => end.by.as === 'adjacent')
  if (adjacent.length > 1)
    throw declarationError(
      'path.way',
      type,
      adjacent[1]!.name,
      `${type} is adjacent to both ends, but lies in one place: make one end a 'mirror'`,
    )
  const identity = new Set([...ends.map(end => end.name), ...key])
  for (const { name, by } of adjacent) {
    const part = by.order.find(each => !identity.has(each))
    if (part !== undefined)
      throw declarationError(
        'path.way',
        type,
        name,
        `${type}.by.${name} is adjacent and sorted by '${part}', which is not in its identity: say 'index', 'mirror' or 'local'`,
      )
  }
}

function leftBehind({ ends, embed, count, sum }: DeclaredEdge): string | false {
  return (
    (ends.some(end => end.by.as === 'mirror') && 'a mirror') ||
    (embed.length > 0 && 'an embed') ||
    ([...count, ...sum].some(({ by }) => by === 'transaction') && 'a counter kept by transaction')
  )
}
