import type { CallExpression, Node } from 'oxc-parser'
import type { TextFile } from './files.js'
import { parse, walk } from './syntax.js'

const TEST_FUNCTIONS = ['it', 'test', 'describe', 'suite']
const MODIFIERS = ['only', 'skip', 'todo', 'skipIf', 'runIf', 'fails']

/**
 * Tests that do not run and do not say why. The one way to skip is from inside, by `context.skip('reason')` or
 * `context.skip(condition, 'reason')`, since only there can a reason be given that is reported.
 */
export function silentSkips(file: TextFile): string[] {
  const found: string[] = []
  const { program, lineOf } = parse(file)
  const report = (node: Node, what: string) => found.push(`${file.path}:${lineOf(node.start)} ${what}`)
  walk(program, node => {
    if (node.type === 'Identifier' && /^(?:[xf]it|xtest|[xf]describe)$/.test(node.name))
      report(node, `has ${node.name}`)
    const modifier = testModifier(node)
    if (modifier) report(node, `has a test with .${modifier}`)
    if (node.type !== 'CallExpression') return
    const option = testOption(node)
    if (option) report(node, `has a test with the option ${option}`)
    if (isSkipFromInside(node) && !hasReason(node)) report(node, 'skips a test without a reason')
  })
  return found
}

/** The modifier of `it.skip`, `describe.concurrent.only` and the like. */
function testModifier(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return undefined
  return MODIFIERS.includes(node.property.name) && isTestFunction(node.object) ? node.property.name : undefined
}

function testOption(call: CallExpression): string | undefined {
  if (!isTestFunction(call.callee)) return undefined
  for (const argument of call.arguments) {
    if (argument.type !== 'ObjectExpression') continue
    for (const member of argument.properties) {
      if (member.type !== 'Property' || member.key.type !== 'Identifier') continue
      if (MODIFIERS.includes(member.key.name)) return member.key.name
    }
  }
  return undefined
}

function isTestFunction(node: Node): boolean {
  if (node.type === 'MemberExpression') return isTestFunction(node.object)
  if (node.type === 'CallExpression') return isTestFunction(node.callee)
  return node.type === 'Identifier' && TEST_FUNCTIONS.includes(node.name)
}

function isSkipFromInside({ callee }: CallExpression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'skip'
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'skip'
    ? !isTestFunction(callee.object)
    : false
}

function hasReason(call: CallExpression): boolean {
  const reason = call.arguments.at(-1)
  if (!reason) return false
  return reason.type !== 'Literal' || (typeof reason.value === 'string' && reason.value.trim() !== '')
}
