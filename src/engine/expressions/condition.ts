import type { Item } from '../../dynamodb/attribute-value.js'
import { Binding, type Slots } from './binding.js'
import type { ConditionSyntax } from './condition-parser.js'
import { holds } from './evaluate.js'
import type { Setting } from './faults.js'
import { checkOperation } from './operation-check.js'
import { nestedNames, topNames } from './paths.js'
import type { Placeholders } from './placeholders.js'
import type { ConditionNode } from './syntax.js'

export interface Condition {
  /** Whether it holds for an item; for no item, give an empty one. */
  test(item: Item): boolean
  /** The attributes that it mentions. */
  readonly names: ReadonlySet<string>
  /** Those of them that it reaches into. */
  readonly nestedNames: ReadonlySet<string>
}

export function bindCondition(kind: Setting, syntax: ConditionSyntax, placeholders: Placeholders): Condition {
  return new BoundCondition(syntax.root, fillCondition(kind, syntax, placeholders))
}

/** A condition of sound parts. */
export function conditionOf(root: ConditionNode, slots: Slots): Condition {
  return new BoundCondition(root, slots)
}

/** Checks a condition for one request, and answers what fills its slots. */
export function fillCondition(kind: Setting, syntax: ConditionSyntax, placeholders: Placeholders): Slots {
  const binding = new Binding(kind, syntax.mentions, placeholders)
  checkCondition(binding, syntax.root)
  return binding.filled
}

function checkCondition(binding: Binding, node: ConditionNode): void {
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
      for (let i = 0; i < node.times; i++) binding.countOperator()
      return
    default:
      checkOperation(binding, node)
  }
}

class BoundCondition implements Condition {
  constructor(
    private readonly root: ConditionNode,
    private readonly slots: Slots,
  ) {}

  test(item: Item): boolean {
    return holds(this.root, this.slots, item)
  }

  get names(): ReadonlySet<string> {
    return topNames(this.slots.paths)
  }

  get nestedNames(): ReadonlySet<string> {
    return nestedNames(this.slots.paths)
  }
}
