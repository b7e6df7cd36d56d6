import type { ContractCase } from '../../contract-case.js'
import { accountCases } from '../account/account.js'
import { contributorInsightsCases } from '../account/contributor-insights.js'
import { globalTableCases } from '../account/global-tables.js'
import { createTableIndexErrorCases } from '../indexes/create-table-errors.js'
import { updateTableIndexCases } from '../indexes/update-table.js'
import { resourcePolicyCases } from '../policies/resource-policies.js'
import { createTableVectorCases } from '../vectors/create-table.js'
import { createTableCases } from './create-table.js'
import { createTableErrorCases } from './create-table-errors.js'
import { createTableSettingCases } from './create-table-settings.js'
import { deleteTableCases } from './delete-table.js'
import { describeTableCases } from './describe-table.js'
import { listTablesCases } from './list-tables.js'
import { tableByArnCases } from './table-arns.js'
import { taggingCases } from './tags.js'
import { timeToLiveCases } from './time-to-live.js'
import { updateTableCases } from './update-table.js'
import { updateTableErrorCases } from './update-table-errors.js'

export const tableCases: readonly ContractCase[] = [
  ...createTableCases,
  ...createTableErrorCases,
  ...createTableIndexErrorCases,
  ...createTableSettingCases,
  ...createTableVectorCases,
  ...describeTableCases,
  ...deleteTableCases,
  ...listTablesCases,
  ...timeToLiveCases,
  ...updateTableCases,
  ...updateTableErrorCases,
  ...updateTableIndexCases,
  ...taggingCases,
  ...tableByArnCases,
  ...resourcePolicyCases,
  ...contributorInsightsCases,
  ...globalTableCases,
  ...accountCases,
]
