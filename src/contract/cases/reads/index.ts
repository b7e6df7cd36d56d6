import type { ContractCase } from '../../contract-case.js'
import { readCapacityCases } from './capacity.js'
import { filterCases } from './filters.js'
import { keyConditionErrorCases } from './key-condition-errors.js'
import { keyConditionCases } from './key-conditions.js'
import { pageBytesCases } from './page-bytes.js'
import { pagingCases } from './paging.js'
import { queryIndexCases } from './query-index.js'
import { queryNativeCases } from './query-native-index.js'
import { queryTableCases } from './query-table.js'
import { scanCases } from './scan.js'
import { scanSegmentCases } from './scan-segments.js'
import { scanSelectCases, selectCases } from './select.js'
import { orderCases } from './sort-order.js'
import { startKeyCases } from './start-keys.js'

/** Every case of Query and Scan. */
export const readCases: readonly ContractCase[] = [
  ...queryTableCases,
  ...keyConditionCases,
  ...keyConditionErrorCases,
  ...queryIndexCases,
  ...queryNativeCases,
  ...filterCases,
  ...pagingCases,
  ...selectCases,
  ...scanSelectCases,
  ...startKeyCases,
  ...orderCases,
  ...pageBytesCases,
  ...scanCases,
  ...scanSegmentCases,
  ...readCapacityCases,
]
