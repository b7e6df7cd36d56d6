import type { FaultCode, FoundFault, VerifyResult } from '../../jobs/index.js'
import { AppendOnlyLines } from '../files/append-only-lines.js'
import { AtomicJsonFile } from '../files/atomic-json-file.js'
import { OTHER_CHECKPOINT, toForeignCheckpointFailure } from '../files/file-failures.js'

/** The progress of a run and its result so far. */
interface InspectionProgress {
  /** The parameters of the run; a run with different parameters cannot continue it. */
  readonly of: object
  readonly cursor: string
  readonly done: VerifyResult
  /** The length of the faults file at this point. */
  readonly foundBytes: number
}

/** Stores the progress of a run in a file, and each found fault in a second file next to it. */
export class InspectionCheckpoint {
  private constructor(
    private readonly identity: object,
    private readonly file: AtomicJsonFile,
    private readonly faultLines: AppendOnlyLines,
    /** The progress of an interrupted run; undefined for a new run. */
    readonly previous: InspectionProgress | undefined,
  ) {}

  static async openAt(path: string, identity: object): Promise<InspectionCheckpoint> {
    const file = new AtomicJsonFile(path)
    const previous = (await file.read()) as InspectionProgress | undefined
    if (previous && JSON.stringify(previous.of) !== JSON.stringify(identity))
      throw toForeignCheckpointFailure(path, `${OTHER_CHECKPOINT}, or remove it`)
    return new InspectionCheckpoint(
      identity,
      file,
      new AppendOnlyLines(`${path}.found`, previous?.foundBytes ?? 0, OTHER_CHECKPOINT),
      previous,
    )
  }

  async readFaults(): Promise<readonly FoundFault[]> {
    return (await this.faultLines.read()) as FoundFault[]
  }

  /** Saves the progress. `faults` are those since the last save. */
  async save(cursor: string, done: VerifyResult, faults: readonly FoundFault[]): Promise<void> {
    if (faults.length > 0) await this.faultLines.append(faults)
    await this.file.write({ of: this.identity, cursor, done, foundBytes: this.faultLines.sizeBytes })
  }

  async close(): Promise<void> {
    await this.faultLines.close()
  }

  /** Deletes both files after a complete run. */
  async remove(): Promise<void> {
    await this.file.remove()
    await this.faultLines.clear()
  }
}

/** Adds up the results before and after an interruption. */
export function addVerified(previous: VerifyResult | undefined, since: VerifyResult): VerifyResult {
  if (!previous) return since
  const faults = { ...previous.faults }
  for (const [code, times] of Object.entries(since.faults) as [FaultCode, number][])
    faults[code] = (faults[code] ?? 0) + times
  return { read: previous.read + since.read, repaired: previous.repaired + since.repaired, faults }
}
