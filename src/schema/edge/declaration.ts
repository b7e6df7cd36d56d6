import { checkOptions, rejectDeclarationIf } from '../checks/assertions.js'
import { checkAttributeUse, declarePath, type PathOptions } from '../checks/attributes.js'
import type { DeclaredAttributes, DeclaredCarry, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../declarations.js'
import { mapValues } from '../map-values.js'
import { declareAttributes } from '../node.js'
import type { Attributes } from '../types/row.js'
import { checkEdge } from './checks.js'
import type { ByEnd, CarryInput, CountInput, UntypedEdgeOptions } from './untyped-options.js'

export function declareEdge(
  name: string,
  ends: object,
  attributes: Attributes,
  input: UntypedEdgeOptions,
): DeclaredEdge {
  const names = Object.keys(ends ?? {})
  const nodes = names.map(end => (ends as Record<string, { declared?: DeclaredNode }>)[end]?.declared)
  const areTwoNodes = nodes.length === 2 && nodes.every(node => node?.kind === 'node')
  rejectDeclarationIf(
    name,
    !areTwoNodes,
    'edge.ends',
    '',
    `its ends are ${names.join(', ') || 'missing'}; give exactly two ends, each a node().`,
  )
  checkOptions(name, input, 'key, one, undirected, tree, closureOf, carry, count, sum, embed, by, onDelete, expires')
  const options = input.undirected ? expandUndirectedOptions(name, names, input) : input
  const { key = [], one, undirected = false, tree = false, closureOf, expires, by, onDelete } = options
  const toDeclaredEnd = (end: string, at: number): DeclaredEnd => ({
    name: end,
    node: nodes[at]!,
    by: declarePath(name, end, by?.[end] ?? {}, [names[1 - at]!, ...key]),
    onDelete: onDelete?.[end] ?? 'leave',
  })
  const edgeAttributes = declareAttributes(name, attributes)
  const edge: DeclaredEdge = {
    kind: 'edge',
    name,
    ends: names.map(toDeclaredEnd) as [DeclaredEnd, DeclaredEnd],
    attributes: edgeAttributes,
    key,
    one,
    undirected,
    tree,
    closureOf: closureOf?.name,
    closure: undefined,
    carry: optionEntriesOf(name, options.carry, 'from, sync, deleted').map(toDeclaredCarry),
    count: optionEntriesOf(name, options.count, 'into, by, where', true).map(([end, count]) =>
      toDeclaredCount(name, edgeAttributes, end, count),
    ),
    sum: optionEntriesOf(name, options.sum, 'into, of, by, where', true).map(([end, sum]) =>
      toDeclaredCount(name, edgeAttributes, end, sum),
    ),
    embed: optionEntriesOf(name, options.embed, 'into, max').map(([end, embed]) => ({ end, ...embed })),
    expires,
  }
  checkEdge(edge, options)
  return edge
}

/** The entries of an option by end or by copy. Some options allow several entries per end. */
function optionEntriesOf<T extends object>(
  type: string,
  option: ByEnd<string | T | readonly (string | T)[]> = {},
  optionNames: string,
  allowsSeveral = false,
): [string, T][] {
  return Object.entries(option).flatMap(([name, optionValue]) =>
    ((allowsSeveral ? [optionValue].flat() : [optionValue]) as (string | T)[]).map((entry): [string, T] => {
      // A string is short for the first option.
      const options = (typeof entry === 'string' ? { [optionNames.split(',')[0]!]: entry } : entry) as T
      checkOptions(type, options, optionNames)
      return [name, options]
    }),
  )
}

function toDeclaredCount<T extends CountInput>(type: string, attributes: DeclaredAttributes, end: string, input: T) {
  const where = mapValues(input.where, (allowed, name) => {
    checkAttributeUse({ name: type, attributes }, name, `${input.into}.where`, true)
    return [allowed].flat().map(value => attributes[name]!.encode(value, `${type}.${input.into}.where.${name}`))
  })
  return { ...input, by: input.by ?? ('transaction' as const), end, where: input.where && where }
}

function toDeclaredCarry([copyName, { from, sync, deleted = 'keep' }]: [string, CarryInput]): DeclaredCarry {
  const [end, attribute = ''] = String(from).split('.') as [string, string?]
  return { copyName, end, attribute, sync, deleted }
}

/** Copies the options of an undirected edge's first end to its second end, with the ends swapped. */
function expandUndirectedOptions(
  type: string,
  [first, second]: readonly string[],
  input: UntypedEdgeOptions,
): UntypedEdgeOptions {
  rejectDeclarationIf(
    type,
    input.carry || input.one,
    'edge.undirected',
    '',
    `an undirected edge cannot have 'carry' or 'one', because its ends are alike; remove them.`,
  )
  const swapEnd = (part: string) => (part === first ? second! : part === second ? first! : part)
  const expanded: Record<string, object> = {}
  for (const name of ['by', 'count', 'sum', 'embed', 'onDelete'] as const) {
    const option = input[name] ?? {}
    rejectDeclarationIf(
      type,
      Object.hasOwn(option, second!),
      'edge.undirected',
      second!,
      `'${name}' of '${first}' applies to both ends; remove it from '${second}'.`,
    )
    if (!Object.hasOwn(option, first!)) continue
    const endOption = option[first!] as PathOptions | undefined
    expanded[name] = {
      ...option,
      [second!]: Array.isArray(endOption?.order) ? { ...endOption, order: endOption.order.map(swapEnd) } : endOption,
    }
  }
  return { ...input, ...expanded }
}
