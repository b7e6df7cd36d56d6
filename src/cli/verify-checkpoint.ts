import type { FaultCode, FoundFault, Verified } from '../jobs/index.js'
import { Failure } from './failure.js'
import type { KeptFile } from './kept-file.js'
import { jsonOf } from './output.js'

/** How far a run came, and what it had found by then. */
export interface InspectionPlace {
  /** What is looked through, and whether it is mended: with another of these it is another run. */
  readonly of: object
  readonly cursor: string
  readonly done: Verified
  readonly found: readonly FoundFault[]
}

/** Where the same run was cut off; undefined where it begins. */
export async function resumedInspection(kept: KeptFile, of: object): Promise<InspectionPlace | undefined> {
  const place = (await kept.read()) as InspectionPlace | undefined
  if (!place || JSON.stringify(place.of) === JSON.stringify(of)) return place
  throw new Failure(
    `${kept.path} is of another run that was cut off: give another file with --checkpoint, or remove it`,
  )
}

export const keepInspection = (kept: KeptFile, place: InspectionPlace): Promise<void> =>
  // A row may have what JSON has no form for.
  kept.write(JSON.parse(jsonOf(place)))

/** What was found before it was cut off, and since. */
export function foundInAll(before: Verified | undefined, since: Verified): Verified {
  if (!before) return since
  const faults = { ...before.faults }
  for (const [code, times] of Object.entries(since.faults) as [FaultCode, number][])
    faults[code] = (faults[code] ?? 0) + times
  return { read: before.read + since.read, mended: before.mended + since.mended, faults }
}
