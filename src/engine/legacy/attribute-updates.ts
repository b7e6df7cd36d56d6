import { type AttributeType, type AttributeValue, attributeTypeOf, type Item } from '../../dynamodb/attribute-value.js'
import type { AttributeValueUpdate } from '../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../errors.js'
import type { UpdateAction } from '../expressions/parsing/update-parser.js'
import { SyntaxBuilder } from '../expressions/syntax-builder.js'
import { newUpdate, type UpdateExpression } from '../expressions/updates/update.js'
import { checkAttributeName } from '../values/attribute-names.js'
import { attributeOf } from '../values/compare-values.js'
import { parseInputValue } from '../values/parse-item.js'
import type { ValidatorLayer } from '../values/validator-layer.js'

/** The change of one attribute, with a canonical value. */
interface AttributeChange {
  readonly name: string
  readonly action: 'PUT' | 'ADD' | 'DELETE'
  readonly value: AttributeValue | undefined
}

const SETS: readonly AttributeType[] = ['SS', 'NS', 'BS']
const ADDABLE: readonly AttributeType[] = ['N', 'L', ...SETS]

/** Reads a legacy update as an update expression. Returns undefined if it changes no attribute. */
export function readAttributeUpdates(
  updates: Readonly<Record<string, AttributeValueUpdate>> | undefined,
  layer: ValidatorLayer,
): UpdateExpression | undefined {
  if (!updates) return undefined
  Object.keys(updates).forEach(checkAttributeName)
  const changes = Object.entries(updates).map(([name, { Action = 'PUT', Value }]) => ({
    name,
    action: Action,
    value: Value && parseInputValue(Value, layer),
  }))
  for (const change of changes) checkChange(change)
  return changes.length === 0 ? undefined : new AttributeUpdates(changes)
}

function checkChange({ action, value }: AttributeChange): void {
  if (value === undefined) {
    if (action === 'DELETE') return
    throw invalidParameterError('Only DELETE action is allowed when no attribute value is specified')
  }
  const type = attributeTypeOf(value)
  if (action === 'DELETE' && !SETS.includes(type))
    throw invalidParameterError(`DELETE action with value is not supported for the type ${type}`)
  if (action === 'ADD' && !ADDABLE.includes(type))
    throw invalidParameterError(`ADD action is not supported for the type ${type}`)
}

class AttributeUpdates implements UpdateExpression {
  private readonly update: UpdateExpression

  constructor(private readonly changes: readonly AttributeChange[]) {
    const form = new SyntaxBuilder()
    const actions = changes.map(change => toUpdateAction(change, form))
    this.update = newUpdate(actions, form.slots)
  }

  get createsItem(): boolean {
    return this.update.createsItem
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
      const stored = attributeOf(item, name)
      if (action !== 'PUT' && value && stored && attributeTypeOf(stored) !== attributeTypeOf(value))
        throw validationError('Type mismatch for attribute to update')
    }
    return this.update.apply(item)
  }

  projectUpdated(item: Item): Item {
    return this.update.projectUpdated(item)
  }

  /** The service counts only the size of expressions. */
  statementBytes(): number {
    return 0
  }
}

const NO_ELEMENTS: AttributeValue = Object.freeze({ L: Object.freeze([]) as unknown as AttributeValue[] })

function toUpdateAction({ name, action, value }: AttributeChange, form: SyntaxBuilder): UpdateAction {
  const path = form.addPath([name])
  if (value === undefined) return { type: 'REMOVE', path }
  if (action === 'PUT') return { type: 'SET', path, value: form.addValue(value) }
  if (value.L === undefined) return { type: action, path, value: form.addValue(value) }
  const before = {
    type: 'call',
    operator: 'if_not_exists',
    operands: [form.addPath([name]), form.addValue(NO_ELEMENTS)],
  }
  const after = { type: 'call', operator: 'list_append', operands: [before, form.addValue(value)] }
  return { type: 'SET', path, value: after } as UpdateAction
}
