import { Binding } from './binding.js'
import type { ExpressionKind } from './faults.js'
import { OperandParser } from './operand-parser.js'
import { buildPathTree, type PathTree } from './path-tree.js'
import { NO_PLACEHOLDERS } from './placeholders.js'
import type { Mentions, OperandNode, OperationNode, PathNode, ValueNode } from './syntax.js'
import { Tokens } from './tokens.js'
import { checkPathWords, checkSetWords } from './words.js'

export type SetValueNode = OperandNode | OperationNode

export type UpdateAction =
  | { readonly type: 'SET'; readonly path: PathNode; readonly value: SetValueNode }
  | { readonly type: 'REMOVE'; readonly path: PathNode }
  | { readonly type: 'ADD' | 'DELETE'; readonly path: PathNode; readonly value: ValueNode }

export interface UpdateSyntax {
  readonly actions: readonly UpdateAction[]
  readonly mentions: Mentions
  /** Where the actions write, if no alias leaves that to the request. */
  readonly targets: PathTree | undefined
}

type ActionType = UpdateAction['type']
/** The actions after one keyword, at least one. */
type Section = readonly UpdateAction[]
const KIND: ExpressionKind = 'UpdateExpression'

/** Reads an update, and checks what depends on its text alone. */
export function parseUpdate(text: string): UpdateSyntax {
  const tokens = new Tokens(KIND, text)
  const operands = new OperandParser(tokens, false)
  const sections = new UpdateParser(tokens, operands).whole()
  if (operands.redundantParentheses) throw tokens.fault('The expression has redundant parentheses;')
  checkSections(tokens, sections)
  const actions = sections.flat()
  const { mentions } = operands
  return { actions, mentions, targets: plainTargets(actions, mentions) }
}

function plainTargets(actions: readonly UpdateAction[], mentions: Mentions): PathTree | undefined {
  if (actions.some(({ path }) => path.aliased)) return undefined
  const binding = new Binding(KIND, mentions, NO_PLACEHOLDERS)
  return buildPathTree(KIND, actions.length, i => binding.path(actions[i]!.path))
}

function checkSections(tokens: Tokens, sections: readonly Section[]): void {
  const seen = new Set<ActionType>()
  for (const actions of sections) {
    actions.forEach(checkWords)
    const { type } = actions[0]!
    if (seen.has(type)) throw tokens.fault(`The "${type}" section can only be used once in an update expression;`)
    seen.add(type)
  }
}

function checkWords(action: UpdateAction): void {
  checkPathWords(KIND, action.path)
  if (action.type === 'SET') checkSetWords(KIND, action.value)
}

class UpdateParser {
  constructor(
    private readonly tokens: Tokens,
    private readonly operands: OperandParser,
  ) {}

  whole(): readonly Section[] {
    const sections = [this.section()]
    while (this.tokens.kind !== 'end') sections.push(this.section())
    return sections
  }

  private section(): Section {
    const { kind } = this.tokens
    if (kind !== 'SET' && kind !== 'REMOVE' && kind !== 'ADD' && kind !== 'DELETE') throw this.tokens.unexpected()
    this.tokens.next()
    const actions = [this.action(kind)]
    while (this.tokens.take(',')) actions.push(this.action(kind))
    return actions
  }

  private action(type: ActionType): UpdateAction {
    const path = this.operands.path()
    if (type === 'REMOVE') return { type, path }
    if (type !== 'SET') return { type, path, value: this.operands.value() }
    this.tokens.expect('=')
    return { type, path, value: this.setValue() }
  }

  /** An operand or a sum of two; either may stand in parentheses, and so may each of the two. */
  private setValue(): SetValueNode {
    let opened = this.operands.openings()
    let value: SetValueNode = this.operands.plainOperand()
    for (; ; opened--) {
      const operator = this.tokens.kind
      if (value.type !== 'operation' && (operator === '+' || operator === '-')) {
        this.tokens.next()
        value = { type: 'operation', operator, operands: [value, this.operands.operand()] }
      }
      if (opened === 0) return value
      this.operands.close(opened, value)
    }
  }
}
