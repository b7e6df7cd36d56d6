import type { ContractCase } from '../../contract-case.js'
import { conditionComparisonCases } from '../conditions/comparisons.js'
import { conditionErrorCases } from '../conditions/errors.js'
import { conditionFunctionCases } from '../conditions/functions.js'
import { indexCapacityCases } from '../indexes/capacity.js'
import { indexKeyCases } from '../indexes/index-keys.js'
import { updateErrorCases } from '../updates/errors.js'
import { updatePathCases } from '../updates/paths.js'
import { updateCases } from '../updates/update-expressions.js'
import { attributeValueCases } from './attribute-values.js'
import { spelledBooleanCases } from './boolean-spellings.js'
import { itemCapacityCases } from './capacity.js'
import { deleteItemCases } from './delete-item.js'
import { expressionLimitCases } from './expression-limits.js'
import { getItemCases } from './get-item.js'
import { itemSizeCases } from './item-bytes.js'
import { keyCases } from './keys.js'
import { memberOrderCases } from './member-order.js'
import { numberCases } from './numbers.js'
import { projectionCases } from './projections.js'
import { putItemCases } from './put-item.js'
import { itemLimitCases } from './size-limits.js'
import { updateItemCases } from './update-item.js'
import { valueWordingCases } from './value-error-wording.js'

/** Every case of single items, and of value errors in all operations. */
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
