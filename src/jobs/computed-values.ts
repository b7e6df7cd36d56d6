import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { bindValue, caseFoldingOf, isRowBound, storedFormsOf } from '../layout/items/row-bindings.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { isSameValue } from '../plan/slot-values.js'

type Values = Readonly<Record<string, AttributeValue | undefined>>

/** What is computed of the values of a row, as it is declared now; undefined where that comes to nothing. */
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
    // Another stored form of the same value is as good.
    const isSame = stored && storedFormsOf(type, name, value, values, fold).some(form => isSameValue(form, stored))
    return isSame ? stored : bindValue(type, name, value, values, fold)
  }
  return Object.fromEntries(computed.map(name => [name, computeValue(name)]))
}
