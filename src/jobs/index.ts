export { type BackfillOptions, type BackfillProgress, backfill } from './backfill/backfill.js'
export { type ApplyOptions, type DeployProgress, type DeployResult, deploy, deployment } from './deploy/deploy.js'
export type { Deployment, DeployOptions } from './deploy/deployment.js'
export {
  type DumpCounts,
  type DumpCursor,
  type DumpOptions,
  type DumpPage,
  dump,
  type UnreadableItem,
} from './dump/dump.js'
export { type NeptuneLanguage, neptuneOwnerTexts, neptuneTexts } from './dump/neptune.js'
export { type CsvTextOptions, csvTexts, jsonTexts, type RowTexts } from './dump/row-texts.js'
export { type FinishOptions, finishDeletes } from './finish-deletes.js'
export { type FailedRow, type LoadCounts, type LoadCursor, type LoadOptions, load } from './load/load.js'
export type { LoadSource } from './load/source.js'
export { type MoveProgress, type MoveResult, type MoveSubtreeOptions, moveSubtree } from './move-subtree.js'
export { itemToJson } from './rows/item-json.js'
export type { ItemRow } from './rows/item-row.js'
export { FAULTS, type FaultCode } from './verify/fault.js'
export {
  type FoundFault,
  repair,
  type VerifyOptions,
  type VerifyProgress,
  type VerifyResult,
  verify,
} from './verify/verify.js'
