import type { DeclaredAttributes, DeclaredCarry, DeclaredEdge, DeclaredEnd, DeclaredNode } from './declared.js'
import { checkEdge } from './edge-checks.js'
import type { ByEnd, GivenCarry, GivenCount, GivenOptions } from './edge-given.js'
import { mapValues } from './map-values.js'
import { declaredAttributes } from './node.js'
import { checkPart, declaredPath, type PathOptions } from './parts.js'
import { checkOptions, refuse } from './refusal.js'
import type { Attributes } from './types/row.js'

export function declaredEdge(name: string, ends: object, attributes: Attributes, given: GivenOptions): DeclaredEdge {
  const names = Object.keys(ends ?? {})
  const nodes = names.map(end => (ends as Record<string, { declared?: DeclaredNode }>)[end]?.declared)
  const two = nodes.length === 2 && nodes.every(node => node?.kind === 'node')
  refuse(name, !two, 'edge.ends', '', `give two ends, each a node(), instead of ${names}`)
  checkOptions(name, given, 'key, one, undirected, carry, count, sum, embed, by, onDelete, expires')
  const options = given.undirected ? bothWays(name, names, given) : given
  const { key = [], one, undirected = false, expires, by, onDelete } = options
  const declaredEnd = (end: string, at: number): DeclaredEnd => ({
    name: end,
    node: nodes[at]!,
    by: declaredPath(name, end, by?.[end] ?? {}, [names[1 - at]!, ...key]),
    onDelete: onDelete?.[end] ?? 'leave',
  })
  const own = declaredAttributes(name, attributes)
  const edge: DeclaredEdge = {
    kind: 'edge',
    name,
    ends: names.map(declaredEnd) as [DeclaredEnd, DeclaredEnd],
    attributes: own,
    key,
    one,
    undirected,
    carry: entriesOf(name, options.carry, 'from, sync, deleted').map(declaredCarry),
    count: entriesOf(name, options.count, 'into, by, where', true).map(([end, count]) =>
      declaredCount(name, own, end, count),
    ),
    sum: entriesOf(name, options.sum, 'into, of, by, where', true).map(([end, sum]) =>
      declaredCount(name, own, end, sum),
    ),
    embed: entriesOf(name, options.embed, 'into, max').map(([end, embed]) => ({ end, ...embed })),
    expires,
  }
  checkEdge(edge, options)
  return edge
}

/** What an option says of each end, of some options several things, or of each copy. */
function entriesOf<T extends object>(
  type: string,
  option: ByEnd<string | T | readonly (string | T)[]> = {},
  known: string,
  several = false,
): [string, T][] {
  return Object.entries(option).flatMap(([name, said]) =>
    ((several ? [said].flat() : [said]) as (string | T)[]).map((one): [string, T] => {
      // A text alone is the first of its options.
      const options = (typeof one === 'string' ? { [known.split(',')[0]!]: one } : one) as T
      checkOptions(type, options, known)
      return [name, options]
    }),
  )
}

function declaredCount<T extends GivenCount>(type: string, attributes: DeclaredAttributes, end: string, given: T) {
  const where = mapValues(given.where, (wanted, name) => {
    checkPart({ name: type, attributes }, name, `${given.into}.where`, true)
    return [wanted].flat().map(value => attributes[name]!.encode(value, `${type}.${given.into}.where.${name}`))
  })
  return { ...given, by: given.by ?? ('transaction' as const), end, where: given.where && where }
}

function declaredCarry([as, { from, sync, deleted = 'keep' }]: [string, GivenCarry]): DeclaredCarry {
  const [end, attribute = ''] = String(from).split('.') as [string, string?]
  return { as, end, attribute, sync, deleted }
}

/** What an undirected edge says of its first end holds for the second, with the ends turned. */
function bothWays(type: string, [first, second]: readonly string[], given: GivenOptions): GivenOptions {
  refuse(type, given.carry || given.one, 'edge.undirected', '', `undirected ends are alike: drop 'carry' and 'one'`)
  const turned = (part: string) => (part === first ? second! : part === second ? first! : part)
  const both: Record<string, object> = {}
  for (const name of ['by', 'count', 'sum', 'embed', 'onDelete'] as const) {
    const option = given[name] ?? {}
    refuse(
      type,
      Object.hasOwn(option, second!),
      'edge.undirected',
      second!,
      `say '${name}' of '${first}', for both ends`,
    )
    if (!Object.hasOwn(option, first!)) continue
    const said = option[first!] as PathOptions | undefined
    both[name] = {
      ...option,
      [second!]: Array.isArray(said?.order) ? { ...said, order: said.order.map(turned) } : said,
    }
  }
  return { ...given, ...both }
}
