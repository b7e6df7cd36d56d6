import type { AttributeType, AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { attributeTypeOf } from '../../../dynamodb/attribute-value.js'
import type { ValidatorLayer } from '../../values/validator-layer.js'
import { ExpressionBinding, type ExpressionSlots } from '../binding.js'
import { checkOperand, checkOperation } from '../check-operation.js'
import type { ExpressionContext, ExpressionKind } from '../expression-errors.js'
import type { UpdateAction, UpdateSyntax } from '../parsing/update-parser.js'
import { buildPathTree, type PathTree } from '../path-tree.js'
import { nestedNamesOf } from '../paths.js'
import type { Placeholders } from '../placeholders.js'
import { projectMap } from '../projection.js'
import { computeUpdateResults } from './compute-results.js'
import { inferKnownTypes } from './known-types.js'
import { statementBytesOf } from './statement-bytes.js'
import { writeUpdateResults } from './write-results.js'

export interface UpdateExpression {
  /** Returns the updated item: a new object that shares unchanged, frozen parts with the old one. */
  apply(item: Item): Item
  /** Whether the update creates a missing item. An update that only removes does not. */
  readonly createsItem: boolean
  /** The attributes that the update writes. */
  readonly names: ReadonlySet<string>
  /** The attributes with a nested path that the update reads or writes. */
  readonly nestedNames: ReadonlySet<string>
  /** Returns the new types of attributes, where they do not depend on the item. */
  knownTypes(): ReadonlyMap<string, AttributeType>
  /** Returns the values at the written paths, for an item before or after the update. */
  projectUpdated(item: Item): Item
  /** Returns the size of the statement itself, which counts toward the maximum item size. */
  statementBytes(): number
}

const KIND: ExpressionKind = 'UpdateExpression'

export function bindUpdate(
  syntax: UpdateSyntax,
  placeholders: Placeholders,
  layer: ValidatorLayer,
  setting: ExpressionContext = KIND,
): UpdateExpression {
  const { actions, mentions } = syntax
  const binding = new ExpressionBinding(setting, mentions, placeholders)
  const targets = syntax.targets ?? buildPathTree(setting, actions.length, i => binding.path(actions[i]!.path))
  // The service checks values, like paths, from the last to the first.
  for (let i = actions.length - 1; i >= 0; i--) checkAction(binding, actions[i]!, layer)
  return new BoundUpdate(actions, binding.filled, targets)
}

/** Creates an update from actions that need no check. */
export function newUpdate(actions: readonly UpdateAction[], slots: ExpressionSlots): UpdateExpression {
  const targets = buildPathTree(KIND, actions.length, i => slots.paths[actions[i]!.path.slot]!)
  return new BoundUpdate(actions, slots, targets)
}

function checkAction(binding: ExpressionBinding, action: UpdateAction, layer: ValidatorLayer): void {
  if (action.type === 'REMOVE') return
  if (action.type === 'SET') {
    if (action.value.type === 'operation') checkOperation(binding, action.value)
    else checkOperand(binding, action.value)
    return
  }
  const value = binding.value(action.value)
  const isTakenByBoth = value.SS !== undefined || value.NS !== undefined || value.BS !== undefined
  if (isTakenByBoth || (action.type === 'ADD' && value.N !== undefined)) return
  // The current validator always names ADD's set of types, for DELETE too.
  const taker = layer === 'older' ? action.type : 'ADD'
  throw binding.error(
    'Incorrect operand type for operator or function; ' +
      `operator: ${action.type}, operand type: ${longTypeNameOf(value)}, typeSet: ALLOWED_FOR_${taker}_OPERAND`,
  )
}

/** The service's own spelling of the types. */
const LONG_TYPE_NAMES: Record<string, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'Binary',
  BOOL: 'BOOL',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
}

function longTypeNameOf(value: AttributeValue): string {
  return LONG_TYPE_NAMES[attributeTypeOf(value)]!
}

class BoundUpdate implements UpdateExpression {
  constructor(
    private readonly actions: readonly UpdateAction[],
    private readonly slots: ExpressionSlots,
    private readonly targets: PathTree,
  ) {}

  get createsItem(): boolean {
    return this.actions.some(({ type }) => type === 'SET' || type === 'ADD')
  }

  get names(): ReadonlySet<string> {
    return new Set(this.targets.children.keys() as Iterable<string>)
  }

  get nestedNames(): ReadonlySet<string> {
    return nestedNamesOf(this.slots.paths)
  }

  knownTypes(): ReadonlyMap<string, AttributeType> {
    return inferKnownTypes(this.actions, this.slots)
  }

  apply(item: Item): Item {
    return writeUpdateResults(item, this.targets, computeUpdateResults(this.actions, this.slots, item))
  }

  projectUpdated(item: Item): Item {
    return projectMap(item, this.targets)
  }

  statementBytes(): number {
    return statementBytesOf(this.actions, this.slots)
  }
}
