import type { ContractCase } from '../case.js'
import { attributeValueCases } from './attribute-values.js'
import { conditionErrorCases } from './condition-errors.js'
import { conditionFunctionCases } from './condition-functions.js'
import { conditionComparisonCases } from './conditions.js'
import { deleteItemCases } from './delete-item.js'
import { expressionLimitCases } from './expression-limits.js'
import { getItemCases } from './get-item.js'
import { indexCapacityCases } from './index-capacity.js'
import { indexKeyCases } from './index-keys.js'
import { itemCapacityCases } from './item-capacity.js'
import { itemLimitCases } from './item-limits.js'
import { itemSizeCases } from './item-sizes.js'
import { keyCases } from './keys.js'
import { memberOrderCases } from './member-order.js'
import { numberCases } from './numbers.js'
import { projectionCases } from './projections.js'
import { putItemCases } from './put-item.js'
import { spelledBooleanCases } from './spelled-booleans.js'
import { updateErrorCases } from './update-errors.js'
import { updateItemCases } from './update-item.js'
import { updatePathCases } from './update-paths.js'
import { updateCases } from './updates.js'
import { valueWordingCases } from './value-wording.js'

/** Everything about single items, and what is said of their values in any operation. */
export const itemCases: readonly ContractCase[] = [
  ...putItemCases,
  ...getItemCases,
  ...updateItemCases,
  ...deleteItemCases,
  ...conditionComparisonCases,
  ...conditionFunctionCases,
  ...conditionErrorCases,
  ...updateCases,
  ...updatePathCases,
  ...updateErrorCases,
  ...projectionCases,
  ...attributeValueCases,
  ...numberCases,
  ...valueWordingCases,
  ...spelledBooleanCases,
  ...memberOrderCases,
  ...keyCases,
  ...indexKeyCases,
  ...itemLimitCases,
  ...expressionLimitCases,
  ...itemSizeCases,
  ...itemCapacityCases,
  ...indexCapacityCases,
]
