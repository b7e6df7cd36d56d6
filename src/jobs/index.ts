export { type BackfillOptions, type BackfillProgress, backfill } from './backfill.js'
export { type ApplyOptions, type Deployed, type DeployProgress, deploy, deployment } from './deploy/deploy.js'
export type { Deployment, DeployOptions } from './deploy/look.js'
export {
  type DumpCounts,
  type DumpedPage,
  type DumpOptions,
  type DumpPlace,
  dump,
  type UnreadItem,
} from './dump/dump.js'
export { type NeptuneLanguage, neptuneOwnerTexts, neptuneTexts } from './dump/neptune.js'
export { type CsvOptions, csvTexts, jsonTexts, type RowTexts } from './dump/texts.js'
export { FAULTS, type FaultCode } from './fault.js'
export { type FinishOptions, finishDeletes } from './finish-deletes.js'
export { type FailedRow, type LoadCounts, type LoadOptions, type LoadPlace, load } from './load/load.js'
export type { LoadSource } from './load/source.js'
export { itemToJson } from './rows/item-json.js'
export type { ItemRow } from './rows/item-row.js'
export { type FoundFault, repair, type Verified, type VerifyOptions, type VerifyProgress, verify } from './verify.js'
