import type { ScheduledBatchSettings } from './scheduled-batch.js'

/** The program that `edgewise batch package` writes. */
const PROGRAM_FILE = 'edgewise_batch.py'
/** The plan of the jobs, which the same command writes. */
const PLAN_FILE = 'plan.json'

/** The folders of a scheduled batch within its prefix. */
export type BatchFolder = 'program' | 'exports' | 'results' | 'logs'

type Location = Pick<ScheduledBatchSettings, 'bucket' | 'prefix'>

/** The path of a folder within the bucket, without a slash at its end. */
export function batchPath({ prefix }: Location, folder: BatchFolder): string {
  return `${prefix}/${folder}`
}

/** The URL of a folder, with a slash at its end. */
export function batchUrl(location: Location, folder: BatchFolder): string {
  return `s3://${location.bucket}/${batchPath(location, folder)}/`
}

/** The program, which is uploaded before the first run, and its arguments: it reads the newest complete export. */
export function programOf(location: Location): { readonly entryPoint: string; readonly arguments: readonly string[] } {
  const folder = batchUrl(location, 'program')
  const input = ['--plan', folder + PLAN_FILE, '--latest', batchUrl(location, 'exports')]
  return { entryPoint: folder + PROGRAM_FILE, arguments: [...input, '--output', batchUrl(location, 'results')] }
}
