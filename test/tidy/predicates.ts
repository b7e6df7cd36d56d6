import type { Node } from 'oxc-parser'
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

/** Methods whose callback returns whether an element fits. */
const TESTING_METHODS: ReadonlySet<string> = new Set(['every', 'filter', 'find', 'findIndex', 'some'])

/**
 * First elements that are read only to learn whether a list has any. A first element that the same expression uses
 * again is read for its value.
 */
export function emptinessTests(file: TextFile): string[] {
  const { program, lineOf } = parse(file)
  const found: string[] = []
  const report = (tested: Node | null | undefined, whole: Node) => {
    if (!tested || !isFirstElement(tested)) return
    const text = file.text.slice(tested.start, tested.end)
    if (file.text.slice(whole.start, whole.end).split(text).length > 2) return
    found.push(`${file.path}:${lineOf(tested.start)} tests ${text}; write ${text.slice(0, -'[0]'.length)}.length > 0`)
  }
  walk(program, node => {
    if (node.type === 'UnaryExpression' && node.operator === '!') report(node.argument, node)
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression' || node.type === 'WhileStatement')
      report(node.test, node)
    if (node.type === 'LogicalExpression' && node.operator === '&&') report(node.left, node)
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return
    const { property } = node.callee
    const [callback] = node.arguments
    if (property.type !== 'Identifier' || !TESTING_METHODS.has(property.name)) return
    if (callback?.type === 'ArrowFunctionExpression') report(callback.body, callback)
  })
  return found
}

function isFirstElement(node: Node): boolean {
  return (
    node.type === 'MemberExpression' && node.computed && node.property.type === 'Literal' && node.property.value === 0
  )
}

function nameOf(id: unknown): string | undefined {
  return (id as { name?: string } | null | undefined)?.name
}
