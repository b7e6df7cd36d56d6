import type { AttributeType, AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { typeOf } from '../../dynamodb/attribute-value.js'
import type { Layer } from '../values/layer.js'
import { Binding, type Slots } from './binding.js'
import type { ExpressionKind, Setting } from './faults.js'
import { checkOperand, checkOperation } from './operation-check.js'
import { buildPathTree, type PathTree } from './path-tree.js'
import { nestedNames } from './paths.js'
import type { Placeholders } from './placeholders.js'
import { projectMap } from './projection.js'
import { statementBytes } from './update-charge.js'
import type { UpdateAction, UpdateSyntax } from './update-parser.js'
import { updateResults } from './update-results.js'
import { knownTypes } from './update-types.js'
import { writeItem } from './update-write.js'

export interface Update {
  /** The item after the update: a new object of its own, whose parts are frozen and shared where they did not change. */
  apply(item: Item): Item
  /** Whether there is an item after it where there was none: one that only takes away makes none. */
  readonly makesItem: boolean
  /** The attributes that it writes to. */
  readonly names: ReadonlySet<string>
  /** The attributes that it reaches into, to write or to read. */
  readonly nestedNames: ReadonlySet<string>
  /** What type its attributes get, of those where that does not depend on the item. */
  knownTypes(): ReadonlyMap<string, AttributeType>
  /** Of an item before or after the update, what stands at the paths that are written. */
  updated(item: Item): Item
  /** What the statement itself counts for when it is held to the largest item. */
  statementBytes(): number
}

const KIND: ExpressionKind = 'UpdateExpression'

export function bindUpdate(
  syntax: UpdateSyntax,
  placeholders: Placeholders,
  layer: Layer,
  setting: Setting = KIND,
): Update {
  const { actions, mentions } = syntax
  const binding = new Binding(setting, mentions, placeholders)
  const targets = syntax.targets ?? buildPathTree(setting, actions.length, i => binding.path(actions[i]!.path))
  // Like the paths, the values are checked from the last to the first.
  for (let i = actions.length - 1; i >= 0; i--) checkAction(binding, actions[i]!, layer)
  return new BoundUpdate(actions, binding.filled, targets)
}

/** An update of sound actions. */
export function updateOf(actions: readonly UpdateAction[], slots: Slots): Update {
  const targets = buildPathTree(KIND, actions.length, i => slots.paths[actions[i]!.path.slot]!)
  return new BoundUpdate(actions, slots, targets)
}

function checkAction(binding: Binding, action: UpdateAction, layer: Layer): void {
  if (action.type === 'REMOVE') return
  if (action.type === 'SET') {
    if (action.value.type === 'operation') checkOperation(binding, action.value)
    else checkOperand(binding, action.value)
    return
  }
  const value = binding.value(action.value)
  const isTakenByBoth = value.SS !== undefined || value.NS !== undefined || value.BS !== undefined
  if (isTakenByBoth || (action.type === 'ADD' && value.N !== undefined)) return
  // The current validator names the types that ADD takes whichever of the two it is.
  const taker = layer === 'older' ? action.type : 'ADD'
  throw binding.fault(
    'Incorrect operand type for operator or function; ' +
      `operator: ${action.type}, operand type: ${longTypeName(value)}, typeSet: ALLOWED_FOR_${taker}_OPERAND`,
  )
}

/** The service's own spellings. */
const LONG_TYPE_NAMES: Record<string, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'Binary',
  BOOL: 'BOOL',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
}

function longTypeName(value: AttributeValue): string {
  return LONG_TYPE_NAMES[typeOf(value)]!
}

class BoundUpdate implements Update {
  constructor(
    private readonly actions: readonly UpdateAction[],
    private readonly slots: Slots,
    private readonly targets: PathTree,
  ) {}

  get makesItem(): boolean {
    return this.actions.some(({ type }) => type === 'SET' || type === 'ADD')
  }

  get names(): ReadonlySet<string> {
    return new Set(this.targets.children.keys() as Iterable<string>)
  }

  get nestedNames(): ReadonlySet<string> {
    return nestedNames(this.slots.paths)
  }

  knownTypes(): ReadonlyMap<string, AttributeType> {
    return knownTypes(this.actions, this.slots)
  }

  apply(item: Item): Item {
    return writeItem(item, this.targets, updateResults(this.actions, this.slots, item))
  }

  updated(item: Item): Item {
    return projectMap(item, this.targets)
  }

  statementBytes(): number {
    return statementBytes(this.actions, this.slots)
  }
}
