import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { setMember } from '../values/attribute-maps.js'
import { attributeOf } from '../values/compare-values.js'
import { ExpressionBinding } from './binding.js'
import type { ExpressionKind } from './expression-errors.js'
import { checkPathNames } from './parsing/check-names.js'
import { OperandParser } from './parsing/operand-parser.js'
import type { DocumentPath, Mentions, PathElement } from './parsing/syntax.js'
import { ExpressionTokens } from './parsing/tokens.js'
import { buildPathTree, type PathTree } from './path-tree.js'
import { nestedNamesOf, topLevelNamesOf } from './paths.js'
import { NO_PLACEHOLDERS, type Placeholders } from './placeholders.js'

export interface ProjectionExpression {
  /** Returns the requested parts of an item, which share memory with it. */
  project(item: Item): Item
  /** The attributes that are requested wholly or in part. */
  readonly names: readonly string[]
  /** The attributes with a nested path. */
  readonly nestedNames: ReadonlySet<string>
}

export interface ProjectionSyntax {
  readonly mentions: Mentions
  /** The bound projection, if it has no aliases and therefore is the same for every request. */
  readonly withoutAliases: ProjectionExpression | undefined
}

const KIND: ExpressionKind = 'ProjectionExpression'

export function parseProjection(text: string): ProjectionSyntax {
  const tokens = new ExpressionTokens(KIND, text)
  const operands = new OperandParser(tokens, false)
  const paths = [operands.parsePath()]
  while (tokens.take(',')) paths.push(operands.parsePath())
  tokens.expect('end')
  for (const path of paths) checkPathNames(KIND, path)
  const { mentions } = operands
  return { mentions, withoutAliases: mentions.aliases.length === 0 ? bindPaths(mentions, NO_PLACEHOLDERS) : undefined }
}

export function bindProjection(
  { mentions, withoutAliases }: ProjectionSyntax,
  placeholders: Placeholders,
): ProjectionExpression {
  return withoutAliases ?? bindPaths(mentions, placeholders)
}

function bindPaths(mentions: Mentions, placeholders: Placeholders): ProjectionExpression {
  const binding = new ExpressionBinding(KIND, mentions, placeholders)
  const tree = buildPathTree(KIND, mentions.paths.length, i => binding.path(mentions.paths[i]!))
  return new BoundProjection(tree, binding.filled.paths)
}

/** Creates a projection onto paths. No path may be a prefix of another. */
export function newProjection(paths: readonly DocumentPath[]): ProjectionExpression {
  return new BoundProjection(
    buildPathTree(KIND, paths.length, i => paths[i]!),
    paths,
  )
}

class BoundProjection implements ProjectionExpression {
  readonly names: readonly string[]

  constructor(
    private readonly tree: PathTree,
    private readonly paths: readonly DocumentPath[],
  ) {
    this.names = [...topLevelNamesOf(paths)]
  }

  get nestedNames(): ReadonlySet<string> {
    return nestedNamesOf(this.paths)
  }

  project(item: Item): Item {
    return projectMap(item, this.tree)
  }
}

/** Returns the members of a map that a tree of paths selects. */
export function projectMap(map: Item, tree: PathTree): Item {
  const projected: Item = {}
  for (const [name, child] of tree.children) {
    const value = attributeOf(map, name as string)
    const part = value && projectValue(value, child)
    if (part !== undefined) setMember(projected, name as string, part)
  }
  return projected
}

/** Returns what a tree of paths selects from a value, within its containers; undefined if it selects nothing. */
function projectValue(value: AttributeValue, tree: PathTree): AttributeValue | undefined {
  if (tree.position !== -1) return value
  const leadsIntoList = typeof firstKey(tree) === 'number'
  if (leadsIntoList) {
    const list = value.L && projectList(value.L, tree)
    return list && list.length > 0 ? { L: list } : undefined
  }
  if (value.M === undefined) return undefined
  const map = projectMap(value.M, tree)
  for (const _ in map) return { M: map }
  return undefined
}

/** The selected elements are adjacent in the result, in the order of the list. */
function projectList(list: AttributeValue[], tree: PathTree): AttributeValue[] {
  const projected: AttributeValue[] = []
  for (const [index, child] of tree.children) {
    const element = list[index as number]
    const part = element && projectValue(element, child)
    if (part !== undefined) projected.push(part)
  }
  return projected
}

function firstKey(tree: PathTree): PathElement | undefined {
  for (const key of tree.children.keys()) return key
  return undefined
}
