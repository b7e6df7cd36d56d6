import { type ExpressionContext, expressionError } from './expression-errors.js'
import type { DocumentPath, PathElement } from './parsing/syntax.js'
import { formatPath } from './paths.js'

/** Several document paths as a tree. No path is a prefix of another. */
export interface PathTree {
  /** Names in the order of the text; indexes in ascending order. */
  readonly children: ReadonlyMap<PathElement, PathTree>
  /** The position of the path that ends here, or -1. */
  readonly position: number
}

interface MutablePathTree extends PathTree {
  children: Map<PathElement, MutablePathTree>
  position: number
}

/**
 * Builds the tree from the last path to the first, as the service does. The order decides which of several errors is
 * reported.
 */
export function buildPathTree(
  kind: ExpressionContext,
  count: number,
  pathOf: (position: number) => DocumentPath,
): PathTree {
  const root: MutablePathTree = { children: new Map(), position: -1 }
  const paths: DocumentPath[] = []
  for (let position = count - 1; position >= 0; position--) {
    const path = pathOf(position)
    const collision = insertPath(root, path, position)
    if (collision !== undefined) throw collisionError(kind, collision, path, paths)
    paths.push(path)
  }
  sortChildren(root)
  return root
}

type Collision = 'overlap' | 'conflict'

function insertPath(root: MutablePathTree, path: DocumentPath, position: number): Collision | undefined {
  let branch = root
  for (const element of path) {
    if (branch.position !== -1) return 'overlap'
    let child = branch.children.get(element)
    if (child === undefined) {
      // No value is both a map and a list, so the type of any one child is the type of all.
      const [known = element] = branch.children.keys()
      if (typeof known !== typeof element) return 'conflict'
      child = { children: new Map(), position: -1 }
      branch.children.set(element, child)
    }
    branch = child
  }
  if (branch.position !== -1 || branch.children.size > 0) return 'overlap'
  branch.position = position
  return undefined
}

function collisionError(
  kind: ExpressionContext,
  collision: Collision,
  path: DocumentPath,
  others: readonly DocumentPath[],
) {
  const other = others.find(candidate => isColliding(path, candidate)) ?? path
  // A PartiQL statement reports the two paths in reverse order.
  const [one, two] = kind === 'Statement' ? [other, path] : [path, other]
  return expressionError(
    kind,
    `Two document paths ${collision} with each other; must remove or rewrite one of these paths; ` +
      `path one: ${formatPath(one)}, path two: ${formatPath(two)}`,
  )
}

function isColliding(a: DocumentPath, b: DocumentPath): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return typeof a[i] !== typeof b[i]
  return true
}

function sortChildren(branch: MutablePathTree): void {
  if (branch.children.size > 1) {
    const children = [...branch.children].reverse()
    if (typeof children[0]![0] === 'number') children.sort(([a], [b]) => (a as number) - (b as number))
    branch.children = new Map(children)
  }
  for (const child of branch.children.values()) sortChildren(child)
}
