import type { ContractCase } from '../case.js'
import { filterCases } from './filters.js'
import { keyConditionRefusalCases } from './key-condition-refusals.js'
import { keyConditionCases } from './key-conditions.js'
import { orderCases } from './order.js'
import { pageBytesCases } from './page-bytes.js'
import { pagingCases } from './paging.js'
import { queryIndexCases } from './query-index.js'
import { queryNativeCases } from './query-native.js'
import { queryTableCases } from './query-table.js'
import { readCapacityCases } from './read-capacity.js'
import { scanCases } from './scan.js'
import { scanSegmentCases } from './scan-segments.js'
import { scanSelectCases, selectCases } from './select.js'
import { startKeyCases } from './start-keys.js'

/** The cases of Query and Scan. */
export const readCases: readonly ContractCase[] = [
  ...queryTableCases,
  ...keyConditionCases,
  ...keyConditionRefusalCases,
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
