export { type BackfillOptions, type BackfillProgress, backfill } from './backfill.js'
