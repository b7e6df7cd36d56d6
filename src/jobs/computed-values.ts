import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { bindValue, caseFoldingOf, isRowBound, storedFormsOf } from '../layout/items/row-bindings.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { isSameValue } from '../plan/slot-values.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/**
 * Computes the computed attributes of a row as they are declared now. The value is undefined where the computation
 * returns nothing.
 */
export function computeValues(
  layout: Layout,
  type: DeclaredType,
  values: Values,
): Record<string, AttributeValue | undefined> {
  const computed = Object.keys(type.attributes).filter(name => type.attributes[name]!.recomputation?.compute)
  const { fold } = caseFoldingOf(layout)
  const computeValue = (name: string) => {
    const value = type.attributes[name]!.recomputation!.compute!(type, name, values)
    const stored = values[name]
    if (!value || !isRowBound(type.attributes[name]!)) return value
    // Keep the stored value if it is another stored form of the same value.
    const isSame = stored && storedFormsOf(type, name, value, values, fold).some(form => isSameValue(form, stored))
    return isSame ? stored : bindValue(type, name, value, values, fold)
  }
  return Object.fromEntries(computed.map(name => [name, computeValue(name)]))
}
