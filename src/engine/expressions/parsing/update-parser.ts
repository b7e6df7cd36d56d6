import { ExpressionBinding } from '../binding.js'
import type { ExpressionKind } from '../expression-errors.js'
import { buildPathTree, type PathTree } from '../path-tree.js'
import { NO_PLACEHOLDERS } from '../placeholders.js'
import { checkPathNames, checkSetNames } from './check-names.js'
import { OperandParser } from './operand-parser.js'
import type { Mentions, OperandNode, OperationNode, PathNode, ValueNode } from './syntax.js'
import { ExpressionTokens } from './tokens.js'

export type SetValueNode = OperandNode | OperationNode

export type UpdateAction =
  | { readonly type: 'SET'; readonly path: PathNode; readonly value: SetValueNode }
  | { readonly type: 'REMOVE'; readonly path: PathNode }
  | { readonly type: 'ADD' | 'DELETE'; readonly path: PathNode; readonly value: ValueNode }

export interface UpdateSyntax {
  readonly actions: readonly UpdateAction[]
  readonly mentions: Mentions
  /** The paths that the actions write, unless aliases make them depend on the request. */
  readonly targets: PathTree | undefined
}

type ActionType = UpdateAction['type']
/** The actions after one keyword; never empty. */
type Section = readonly UpdateAction[]
const KIND: ExpressionKind = 'UpdateExpression'

/** Parses an update and checks everything that depends only on its text. */
export function parseUpdate(text: string): UpdateSyntax {
  const tokens = new ExpressionTokens(KIND, text)
  const operands = new OperandParser(tokens, false)
  const sections = new UpdateParser(tokens, operands).parse()
  if (operands.redundantParentheses) throw tokens.error('The expression has redundant parentheses;')
  checkSections(tokens, sections)
  const actions = sections.flat()
  const { mentions } = operands
  return { actions, mentions, targets: buildTargetsWithoutAliases(actions, mentions) }
}

function buildTargetsWithoutAliases(actions: readonly UpdateAction[], mentions: Mentions): PathTree | undefined {
  if (actions.some(({ path }) => path.hasAliases)) return undefined
  const binding = new ExpressionBinding(KIND, mentions, NO_PLACEHOLDERS)
  return buildPathTree(KIND, actions.length, i => binding.path(actions[i]!.path))
}

function checkSections(tokens: ExpressionTokens, sections: readonly Section[]): void {
  const seen = new Set<ActionType>()
  for (const actions of sections) {
    actions.forEach(checkWords)
    const { type } = actions[0]!
    if (seen.has(type)) throw tokens.error(`The "${type}" section can only be used once in an update expression;`)
    seen.add(type)
  }
}

function checkWords(action: UpdateAction): void {
  checkPathNames(KIND, action.path)
  if (action.type === 'SET') checkSetNames(KIND, action.value)
}

class UpdateParser {
  constructor(
    private readonly tokens: ExpressionTokens,
    private readonly operands: OperandParser,
  ) {}

  parse(): readonly Section[] {
    const sections = [this.parseSection()]
    while (this.tokens.kind !== 'end') sections.push(this.parseSection())
    return sections
  }

  private parseSection(): Section {
    const { kind } = this.tokens
    if (kind !== 'SET' && kind !== 'REMOVE' && kind !== 'ADD' && kind !== 'DELETE')
      throw this.tokens.unexpectedTokenError()
    this.tokens.next()
    const actions = [this.parseAction(kind)]
    while (this.tokens.take(',')) actions.push(this.parseAction(kind))
    return actions
  }

  private parseAction(type: ActionType): UpdateAction {
    const path = this.operands.parsePath()
    if (type === 'REMOVE') return { type, path }
    if (type !== 'SET') return { type, path, value: this.operands.parseValue() }
    this.tokens.expect('=')
    return { type, path, value: this.parseSetValue() }
  }

  /** Parses an operand, or a sum or difference of two. The whole and each operand may be in parentheses. */
  private parseSetValue(): SetValueNode {
    let opened = this.operands.takeOpenParentheses()
    let value: SetValueNode = this.operands.parsePlainOperand()
    for (; ; opened--) {
      const operator = this.tokens.kind
      if (value.type !== 'operation' && (operator === '+' || operator === '-')) {
        this.tokens.next()
        value = { type: 'operation', operator, operands: [value, this.operands.parseOperand()] }
      }
      if (opened === 0) return value
      this.operands.takeCloseParenthesis(opened, value)
    }
  }
}
