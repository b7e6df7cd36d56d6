import type { TextFile } from './files.js'
import { parse, walk } from './syntax.js'

const PREDICATE_NAME = /^(?:is|has|can|should)[A-Z]/
/** A pattern that lists whole words, such as `/^(?:put|delete)$/`: a Set says the same and is checked by the compiler. */
const WORD_LIST = /^\^\(\?:[\w.]+(?:\|[\w.]+)+\)\$$/

/** Predicates that are declared to return `unknown`. */
export function unknownPredicates(file: TextFile): string[] {
  const { program, lineOf } = parse(file)
  const found: string[] = []
  walk(program, (node, parent) => {
    if (!('returnType' in node) || !node.returnType) return
    const id = 'id' in node ? node.id : undefined
    const name =
      nameOf(id) ?? (parent && ('id' in parent ? nameOf(parent.id) : 'key' in parent ? nameOf(parent.key) : undefined))
    const annotation = (node.returnType as { typeAnnotation?: { type: string } }).typeAnnotation
    if (name && PREDICATE_NAME.test(name) && annotation?.type === 'TSUnknownKeyword') {
      found.push(`${file.path}:${lineOf(node.start)} ${name} returns unknown; return boolean`)
    }
  })
  return found
}

/** Tests of a text against a case-sensitive pattern that only lists words. */
export function wordListPatterns(file: TextFile): string[] {
  const { program, lineOf } = parse(file)
  const found: string[] = []
  walk(program, (node, parent) => {
    if (node.type !== 'Literal' || !('regex' in node) || parent?.type !== 'MemberExpression') return
    const { pattern, flags } = node.regex as { pattern: string; flags: string }
    if (flags === '' && WORD_LIST.test(pattern))
      found.push(`${file.path}:${lineOf(node.start)} /${pattern}/ lists words; use a Set`)
  })
  return found
}

function nameOf(id: unknown): string | undefined {
  return (id as { name?: string } | null | undefined)?.name
}
