export { type BackfillOptions, type BackfillProgress, backfill } from './backfill.js'
export { type FinishOptions, finishDeletes } from './finish-deletes.js'
