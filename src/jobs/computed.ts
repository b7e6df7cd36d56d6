import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { boundValue, foldOf, isRowBound, storedForms } from '../layout/row-bindings.js'
import type { DeclaredType } from '../layout/slots.js'
import { sameValue } from '../plan/change-values.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/** What is computed of the values of a row, as it is declared now; undefined where that comes to nothing. */
export function computedOf(
  layout: Layout,
  type: DeclaredType,
  values: Values,
): Record<string, AttributeValue | undefined> {
  const computed = Object.keys(type.attributes).filter(name => type.attributes[name]!.renewed?.value)
  const { fold } = foldOf(layout)
  const made = (name: string) => {
    const value = type.attributes[name]!.renewed!.value!(type, name, values)
    const stored = values[name]
    if (!value || !isRowBound(type.attributes[name]!)) return value
    // Another stored form of the same value is as good.
    const isSame = stored && storedForms(type, name, value, values, fold).some(form => sameValue(form, stored))
    return isSame ? stored : boundValue(type, name, value, values, fold)
  }
  return Object.fromEntries(computed.map(name => [name, made(name)]))
}
