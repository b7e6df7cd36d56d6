import type { Item } from '../../dynamodb/attribute-value.js'
import { ExpressionBinding, type ExpressionSlots } from './binding.js'
import { checkOperation } from './check-operation.js'
import { isSatisfied } from './evaluate-condition.js'
import type { ExpressionContext } from './expression-errors.js'
import type { ConditionSyntax } from './parsing/condition-parser.js'
import type { ConditionNode } from './parsing/syntax.js'
import { nestedNamesOf, topLevelNamesOf } from './paths.js'
import type { Placeholders } from './placeholders.js'

export interface ConditionExpression {
  /** Whether it holds for an item; for no item, give an empty one. */
  test(item: Item): boolean
  /** The attributes that it mentions. */
  readonly names: ReadonlySet<string>
  /** Those of them that it reaches into. */
  readonly nestedNames: ReadonlySet<string>
}

export function bindCondition(
  kind: ExpressionContext,
  syntax: ConditionSyntax,
  placeholders: Placeholders,
): ConditionExpression {
  return new BoundCondition(syntax.root, bindConditionSlots(kind, syntax, placeholders))
}

/** A condition of sound parts. */
export function newCondition(root: ConditionNode, slots: ExpressionSlots): ConditionExpression {
  return new BoundCondition(root, slots)
}

/** Checks a condition for one request, and answers what fills its slots. */
export function bindConditionSlots(
  kind: ExpressionContext,
  syntax: ConditionSyntax,
  placeholders: Placeholders,
): ExpressionSlots {
  const binding = new ExpressionBinding(kind, syntax.mentions, placeholders)
  checkCondition(binding, syntax.root)
  return binding.filled
}

function checkCondition(binding: ExpressionBinding, node: ConditionNode): void {
  switch (node.type) {
    case 'AND':
    case 'OR':
      node.parts.forEach((part, i) => {
        checkCondition(binding, part)
        if (i > 0) binding.countOperator()
      })
      return
    case 'NOT':
      checkCondition(binding, node.part)
      for (let i = 0; i < node.count; i++) binding.countOperator()
      return
    default:
      checkOperation(binding, node)
  }
}

class BoundCondition implements ConditionExpression {
  constructor(
    private readonly root: ConditionNode,
    private readonly slots: ExpressionSlots,
  ) {}

  test(item: Item): boolean {
    return isSatisfied(this.root, this.slots, item)
  }

  get names(): ReadonlySet<string> {
    return topLevelNamesOf(this.slots.paths)
  }

  get nestedNames(): ReadonlySet<string> {
    return nestedNamesOf(this.slots.paths)
  }
}
