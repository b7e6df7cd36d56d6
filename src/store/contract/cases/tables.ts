import type { ContractCase } from '../case.js'
import { accountCases } from './account.js'
import { contributorInsightsCases } from './contributor-insights.js'
import { createTableCases } from './create-table.js'
import { createTableIndexRefusalCases } from './create-table-index-refusals.js'
import { createTableRefusalCases } from './create-table-refusals.js'
import { createTableSettingCases } from './create-table-settings.js'
import { createTableVectorCases } from './create-table-vectors.js'
import { deleteTableCases } from './delete-table.js'
import { describeTableCases } from './describe-table.js'
import { globalTableCases } from './global-tables.js'
import { listTablesCases } from './list-tables.js'
import { resourcePolicyCases } from './resource-policies.js'
import { tableByArnCases } from './tables-by-arn.js'
import { taggingCases } from './tags.js'
import { timeToLiveCases } from './time-to-live.js'
import { updateTableCases } from './update-table.js'
import { updateTableIndexCases } from './update-table-indexes.js'
import { updateTableRefusalCases } from './update-table-refusals.js'

export const tableCases: readonly ContractCase[] = [
  ...createTableCases,
  ...createTableRefusalCases,
  ...createTableIndexRefusalCases,
  ...createTableSettingCases,
  ...createTableVectorCases,
  ...describeTableCases,
  ...deleteTableCases,
  ...listTablesCases,
  ...timeToLiveCases,
  ...updateTableCases,
  ...updateTableRefusalCases,
  ...updateTableIndexCases,
  ...taggingCases,
  ...tableByArnCases,
  ...resourcePolicyCases,
  ...contributorInsightsCases,
  ...globalTableCases,
  ...accountCases,
]
