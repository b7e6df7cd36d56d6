import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser'
import type { TextFile } from './files.js'

export interface Syntax {
  readonly program: Node
  readonly comments: readonly Comment[]
  lineOf(offset: number): number
}

export function parse({ path, text }: TextFile): Syntax {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`)
  return { program, comments, lineOf: offset => text.slice(0, offset).split('\n').length }
}

/** Visits a node and all descendants, each with its parent. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key]
    for (const next of Array.isArray(child) ? child : [child]) if (next) walk(next, visit, node)
  }
}
