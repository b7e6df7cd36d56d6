import type { TableDescription } from '../../../src/dynamodb/operation-types.js'
import type { TableDesign } from '../../../src/layout/design.js'
import { diff } from '../../../src/table/diff/difference.js'
import { cliCommands } from '../../../src/table/export/aws-cli/commands.js'
import { cloudFormation } from '../../../src/table/export/cloudformation/template.js'
import { createTableInput } from '../../../src/table/table-inputs.js'

// Undefined options are accepted also with `exactOptionalPropertyTypes`.
declare const design: TableDesign
declare const live: TableDescription
declare const said: { readonly [name: string]: string | undefined }
declare const counted: { readonly [name: string]: number | undefined }
export const template = cloudFormation(design, {
  table: said.TABLE,
  tenantTag: said.TAG,
  deletionProtection: said.STAGE === 'production' ? true : undefined,
  autoscaling: { targetPercent: counted.TARGET, most: counted.MOST },
  alarms: { throttles: counted.THROTTLES, consumer: said.FUNCTION },
  consumer: { function: said.FUNCTION, role: said.ROLE, batchSize: counted.BATCH },
  batch: { bucket: 'exports', prefix: said.PREFIX, exportSchedule: said.EXPORT, maxVcpus: counted.VCPUS },
})
export const commands = cliCommands(design, { region: 'eu-west-1', account: '123456789012', partition: said.PARTITION })
export const request = createTableInput(design, { table: said.TABLE })
export const difference = diff(design, live, { autoscaled: undefined, protection: undefined })
// @ts-expect-error an unknown option
cloudFormation(design, { tabel: said.TABLE })
// @ts-expect-error a batch without a bucket
cloudFormation(design, { batch: { prefix: said.PREFIX } })
