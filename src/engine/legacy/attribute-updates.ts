import { type AttributeType, type AttributeValue, type Item, typeOf } from '../../dynamodb/attribute-value.js'
import type { AttributeValueUpdate } from '../../dynamodb/operations/conditions.js'
import { invalidParameter, validation } from '../errors.js'
import { Form } from '../expressions/form.js'
import { type Update, updateOf } from '../expressions/update.js'
import type { UpdateAction } from '../expressions/update-parser.js'
import { attribute } from '../values/compare.js'
import { takeValue } from '../values/intake.js'
import type { Layer } from '../values/layer.js'
import { checkName } from '../values/names.js'

/** What is done to one attribute, with a canonical value. */
interface Change {
  readonly name: string
  readonly action: 'PUT' | 'ADD' | 'DELETE'
  readonly value: AttributeValue | undefined
}

const SETS: readonly AttributeType[] = ['SS', 'NS', 'BS']
const ADDABLE: readonly AttributeType[] = ['N', 'L', ...SETS]

/** An update from before expressions, in the form of one; nothing where it changes nothing. */
export function readAttributeUpdates(
  updates: Readonly<Record<string, AttributeValueUpdate>> | undefined,
  layer: Layer,
): Update | undefined {
  if (!updates) return undefined
  Object.keys(updates).forEach(checkName)
  const changes = Object.entries(updates).map(([name, { Action = 'PUT', Value }]) => ({
    name,
    action: Action,
    value: Value && takeValue(Value, layer),
  }))
  for (const change of changes) checkChange(change)
  return changes.length === 0 ? undefined : new AttributeUpdates(changes)
}

function checkChange({ action, value }: Change): void {
  if (value === undefined) {
    if (action === 'DELETE') return
    throw invalidParameter('Only DELETE action is allowed when no attribute value is specified')
  }
  const type = typeOf(value)
  if (action === 'DELETE' && !SETS.includes(type))
    throw invalidParameter(`DELETE action with value is not supported for the type ${type}`)
  if (action === 'ADD' && !ADDABLE.includes(type))
    throw invalidParameter(`ADD action is not supported for the type ${type}`)
}

class AttributeUpdates implements Update {
  private readonly update: Update

  constructor(private readonly changes: readonly Change[]) {
    const form = new Form()
    const actions = changes.map(change => actionOf(change, form))
    this.update = updateOf(actions, form.slots)
  }

  get makesItem(): boolean {
    return this.update.makesItem
  }

  get names(): ReadonlySet<string> {
    return this.update.names
  }

  get nestedNames(): ReadonlySet<string> {
    return this.update.nestedNames
  }

  knownTypes(): ReadonlyMap<string, AttributeType> {
    return this.update.knownTypes()
  }

  apply(item: Item): Item {
    for (const { name, action, value } of this.changes) {
      const stored = attribute(item, name)
      if (action !== 'PUT' && value && stored && typeOf(stored) !== typeOf(value))
        throw validation('Type mismatch for attribute to update')
    }
    return this.update.apply(item)
  }

  updated(item: Item): Item {
    return this.update.updated(item)
  }

  /** The service counts only what an expression states. */
  statementBytes(): number {
    return 0
  }
}

const NO_ELEMENTS: AttributeValue = Object.freeze({ L: Object.freeze([]) as unknown as AttributeValue[] })

function actionOf({ name, action, value }: Change, form: Form): UpdateAction {
  const path = form.path([name])
  if (value === undefined) return { type: 'REMOVE', path }
  if (action === 'PUT') return { type: 'SET', path, value: form.value(value) }
  if (value.L === undefined) return { type: action, path, value: form.value(value) }
  const before = { type: 'call', operator: 'if_not_exists', operands: [form.path([name]), form.value(NO_ELEMENTS)] }
  const after = { type: 'call', operator: 'list_append', operands: [before, form.value(value)] }
  return { type: 'SET', path, value: after } as UpdateAction
}
