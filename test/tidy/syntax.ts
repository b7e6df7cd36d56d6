import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser'
import type { TextFile } from './files.js'

export interface Syntax {
  readonly program: Node
  readonly comments: readonly Comment[]
  lineOf(offset: number): number
}

/** A dozen checks read each file, and parsing takes most of their time. */
const parsedFiles = new WeakMap<TextFile, Syntax>()

export function parse(file: TextFile): Syntax {
  const { path, text } = file
  const parsed = parsedFiles.get(file)
  if (parsed) return parsed
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`)
  const syntax = { program, comments, lineOf: (offset: number) => text.slice(0, offset).split('\n').length }
  parsedFiles.set(file, syntax)
  return syntax
}

/** Visits a node and all descendants, each with its parent. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent)
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[key]
    for (const next of Array.isArray(child) ? child : [child]) if (next) walk(next, visit, node)
  }
}
