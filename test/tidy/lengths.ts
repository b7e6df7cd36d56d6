import type { CallExpression, Node } from 'oxc-parser'
import { lineCount, type TextFile } from './files.js'
import { parse, walk } from './syntax.js'

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 70

export function longFiles(files: readonly TextFile[]): string[] {
  return files
    .filter(file => lineCount(file.text) > FILE_LINES_MAX)
    .map(file => `${file.path} has ${lineCount(file.text)} lines`)
}

export function longFunctions(file: TextFile): string[] {
  const found: string[] = []
  const { program, lineOf } = parse(file)
  walk(program, (node, parent) => {
    if (!isFunction(node) || isSuite(node, parent)) return
    const first = lineOf(node.start)
    const lines = lineOf(node.end) - first + 1
    if (lines > FUNCTION_LINES_MAX) found.push(`${file.path}:${first} has a function of ${lines} lines`)
  })
  return found
}

function isFunction(node: Node): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)
}

/** The body of a `describe` is a list of tests, and each test is measured separately. */
function isSuite(node: Node, parent: Node | undefined): boolean {
  if (parent?.type !== 'CallExpression' || !parent.arguments.some(argument => argument === node)) return false
  return /^describe\b/.test(calleeName(parent))
}

function calleeName(call: CallExpression): string {
  let callee: Node = call.callee
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression') {
    callee = callee.type === 'MemberExpression' ? callee.object : callee.callee
  }
  return callee.type === 'Identifier' ? callee.name : ''
}
