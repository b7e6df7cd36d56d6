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
  /** Returns whether the condition holds for an item. Pass an empty item when none exists. */
  test(item: Item): boolean
  /** The attributes that the condition mentions. */
  readonly names: ReadonlySet<string>
  /** The attributes with a nested path in the condition. */
  readonly nestedNames: ReadonlySet<string>
}

export function bindCondition(
  kind: ExpressionContext,
  syntax: ConditionSyntax,
  placeholders: Placeholders,
): ConditionExpression {
  return new BoundCondition(syntax.root, bindConditionSlots(kind, syntax, placeholders))
}

/** Creates a condition from syntax that needs no check. */
export function newCondition(root: ConditionNode, slots: ExpressionSlots): ConditionExpression {
  return new BoundCondition(root, slots)
}

/** Checks a condition for one request and returns the values of its slots. */
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
