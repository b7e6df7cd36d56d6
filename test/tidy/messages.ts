import type { Node } from 'oxc-parser'
import type { TextFile } from './files.js'
import { parse, walk } from './syntax.js'

/**
 * The part of a message that a call states. Functions that complete it add the subject, or the final period. The parser
 * of the command line adds the option and its value before advice.
 */
type Form = 'complete' | 'without subject' | 'without subject and period' | 'advice'

const FORMS: Readonly<Record<Form, RegExp>> = {
  // The subject may be a place in a file, such as `graph.ts:3:7`.
  complete: /^[^:;]+(?::[^:;\s]+)*: .+; .+\.$/s,
  'without subject': /^.+; .+\.$/s,
  'without subject and period': /^.+; .+[^.]$/s,
  advice: /^(?:Give|Use) .+\.$/,
}

const COMPLETE_TEXT = '<subject>: <what is wrong>; <what to do>.'
const ADVICE_TEXT = 'Give <value>.'

/** The argument of each function that is an error message. */
const MESSAGES: Readonly<Record<string, { readonly argument: number; readonly form: Form }>> = {
  GraphError: { argument: 1, form: 'complete' },
  Error: { argument: 0, form: 'complete' },
  TypeError: { argument: 0, form: 'complete' },
  RangeError: { argument: 0, form: 'complete' },
  CommandFailure: { argument: 0, form: 'complete' },
  UsageFailure: { argument: 0, form: 'complete' },
  InterruptedFailure: { argument: 0, form: 'complete' },
  toPlacedFailure: { argument: 1, form: 'complete' },
  InvalidArgumentError: { argument: 0, form: 'advice' },
  assertArgument: { argument: 1, form: 'complete' },
  rejectDeclarationIf: { argument: 4, form: 'without subject' },
  rejectIf: { argument: 1, form: 'without subject' },
  memberError: { argument: 3, form: 'without subject and period' },
  pathError: { argument: 2, form: 'without subject and period' },
  toInputError: { argument: 0, form: 'without subject and period' },
  whereError: { argument: 1, form: 'without subject and period' },
}

/** Tables of messages without their subject. */
const TABLES: ReadonlySet<string> = new Set(['REFUSAL_TEXTS'])

/** Functions that complete the messages of other functions, or of the code of users. Their callers are checked. */
const COMPLETING: ReadonlySet<string> = new Set([
  ...Object.keys(MESSAGES),
  'refusalError',
  'callUserFunction',
  'runValidator',
])

/**
 * Files whose `Error`s never reach users with their own text: messages of AWS and Node that a store reproduces, and reasons that
 * another message contains.
 */
const OTHER_TEXTS: ReadonlySet<string> = new Set([
  'src/engine/keyvalues/lmdb/commit-queue.ts',
  'src/engine/keyvalues/lmdb/load-lmdb.ts',
  'src/engine/persistence/stored-bytes.ts',
  'src/engine/transfers/run-export.ts',
  'src/http/body/gunzip.ts',
  'src/schema/transformed/cipher.ts',
  'src/schema/transformed/encrypted.ts',
  'src/store/faulty-errors.ts',
])

type Constants = ReadonlyMap<string, Node | undefined>

/** A value that is known only when the program runs. */
const UNKNOWN = 'x'

/** Error messages that do not have the form `<subject>: <what is wrong>; <what to do>.` */
export function malformedMessages(file: TextFile): string[] {
  const { program, lineOf } = parse(file)
  const constants = constantsOf(program)
  const found: string[] = []
  const check = (node: Node | undefined, form: Form) => {
    for (const text of (node && textsOf(node, constants)) ?? [])
      if (text !== '' && !FORMS[form].test(text))
        found.push(
          `${file.path}:${lineOf(node!.start)} write '${form === 'advice' ? ADVICE_TEXT : COMPLETE_TEXT}': ${text}`,
        )
  }
  const completed = completingFunctions(program)
  const visit = (node: Node) => {
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const message = node.callee.type === 'Identifier' ? MESSAGES[node.callee.name] : undefined
      const isReason = node.callee.type === 'Identifier' && node.callee.name === 'Error' && OTHER_TEXTS.has(file.path)
      const isCompleted = completed.some(({ start, end }) => start < node.start && node.end <= end)
      if (message && !isCompleted && !isReason)
        check(node.arguments[message.argument] as Node | undefined, message.form)
    }
    if (node.type === 'ClassDeclaration' && !OTHER_TEXTS.has(file.path) && node.superClass?.type === 'Identifier') {
      const message = MESSAGES[node.superClass.name]
      walk(node, call => {
        if (message && call.type === 'CallExpression' && call.callee.type === 'Super')
          check(call.arguments[message.argument] as Node | undefined, message.form)
      })
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && TABLES.has(node.id.name))
      walk(node, property => {
        if (property.type === 'Property') check(property.value as Node, 'without subject')
      })
  }
  walk(program, visit)
  return found
}

/** The functions that complete messages. Their callers are checked instead. */
function completingFunctions(program: Node): Node[] {
  const found: Node[] = []
  walk(program, node => {
    const id = node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator' ? node.id : undefined
    if (id?.type === 'Identifier' && COMPLETING.has(id.name)) found.push(node)
  })
  return found
}

/** The constants of a file, by their names. A name that is declared twice is unknown. */
function constantsOf(program: Node): Constants {
  const constants = new Map<string, Node | undefined>()
  walk(program, node => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return
    constants.set(node.id.name, constants.has(node.id.name) ? undefined : node.init)
  })
  return constants
}

/** The texts that an expression can have; undefined when it has no text of its own. */
function textsOf(node: Node, constants: Constants): readonly string[] | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : undefined
    case 'TemplateLiteral':
      return node.quasis.reduce<readonly string[]>(
        (texts, quasi, at) => {
          const inserted = node.expressions[at - 1]
          const values = at === 0 ? [''] : (textsOf(inserted as Node, constants) ?? [UNKNOWN])
          return texts.flatMap(text => values.map(value => text + value + (quasi.value.cooked ?? '')))
        },
        [''],
      )
    case 'BinaryExpression': {
      const [left, right] = [textsOf(node.left as Node, constants), textsOf(node.right, constants)]
      if (node.operator !== '+' || (!left && !right)) return undefined
      return (left ?? [UNKNOWN]).flatMap(text => (right ?? [UNKNOWN]).map(more => text + more))
    }
    case 'ConditionalExpression':
      return alternatives(textsOf(node.consequent, constants), textsOf(node.alternate, constants))
    case 'LogicalExpression':
      return alternatives(textsOf(node.left, constants), textsOf(node.right, constants))
    case 'Identifier': {
      const value = constants.get(node.name)
      return value && textsOf(value, constants)
    }
    default:
      return undefined
  }
}

function alternatives(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): readonly string[] | undefined {
  return left || right ? [...(left ?? []), ...(right ?? [])] : undefined
}
