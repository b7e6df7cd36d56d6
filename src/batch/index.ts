export type { DatabaseOptions, SqlRow } from './duckdb.js'
export { BatchData, type BatchOptions, type CopyFormat, openBatch } from './open-batch.js'
export type { BatchSource, TableSource } from './sources/source.js'
export { packageSpark } from './spark/package-spark.js'
export type { SparkJob, SparkPlan, SparkStep } from './spark/plan.js'
export { openSparkResults, type SparkResults } from './spark/results.js'
export { type RunSparkOptions, runSpark } from './spark/run-spark.js'
export { type SparkPlanOptions, sparkPlan } from './spark/spark-plan.js'
export {
  type JobCounts,
  type JobProgress,
  type JobResult,
  type RunJobOptions,
  runJob,
  type UnreadableRow,
} from './summaries/run-job.js'
export type { SummaryStamp } from './summaries/stamp.js'
export {
  connectedComponents,
  degree,
  distances,
  hopCounts,
  labelPropagation,
  pageRank,
  recommendations,
  type SqlJobOptions,
  type SummaryJob,
  sqlJob,
  subtreeSums,
  type TargetOptions,
  triangles,
} from './summaries/summary-job.js'
export { summaryStamps } from './summaries/summary-stamps.js'
export type { ValidationFinding } from './validation/findings.js'
export { type ValidateOptions, type ValidateProgress, type ValidateResult, validate } from './validation/validate.js'
