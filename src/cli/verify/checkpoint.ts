import type { FaultCode, FoundFault, VerifyResult } from '../../jobs/index.js'
import { CommandFailure } from '../command-failure.js'
import { AppendOnlyLines } from '../files/append-only-lines.js'
import { AtomicJsonFile } from '../files/atomic-json-file.js'

/** How far a run came, and what it had found by then. */
interface InspectionProgress {
  /** What is looked through, and whether it is mended: with another of these it is another run. */
  readonly of: object
  readonly cursor: string
  readonly done: VerifyResult
  /** How much the file of faults beside it had by then. */
  readonly foundBytes: number
}

/** How far a run came, in a file, and each fault that it had found by then, in another beside it. */
export class InspectionCheckpoint {
  private constructor(
    private readonly identity: object,
    private readonly file: AtomicJsonFile,
    private readonly faultLines: AppendOnlyLines,
    /** Where the same run was cut off; undefined where it begins. */
    readonly previous: InspectionProgress | undefined,
  ) {}

  static async openAt(path: string, identity: object): Promise<InspectionCheckpoint> {
    const file = new AtomicJsonFile(path)
    const previous = (await file.read()) as InspectionProgress | undefined
    if (previous && JSON.stringify(previous.of) !== JSON.stringify(identity))
      throw new CommandFailure(
        `${path} belongs to another interrupted run; give another file with --checkpoint, or remove it`,
      )
    return new InspectionCheckpoint(
      identity,
      file,
      new AppendOnlyLines(`${path}.found`, previous?.foundBytes ?? 0, '--checkpoint'),
      previous,
    )
  }

  async readFaults(): Promise<readonly FoundFault[]> {
    return (await this.faultLines.read()) as FoundFault[]
  }

  /** `faults`: those since it was noted last. */
  async save(cursor: string, done: VerifyResult, faults: readonly FoundFault[]): Promise<void> {
    if (faults.length > 0) await this.faultLines.append(faults)
    await this.file.write({ of: this.identity, cursor, done, foundBytes: this.faultLines.sizeBytes })
  }

  async close(): Promise<void> {
    await this.faultLines.close()
  }

  /** Nothing is left to go on with. */
  async remove(): Promise<void> {
    await this.file.remove()
    await this.faultLines.clear()
  }
}

/** What was found before it was cut off, and since. */
export function addVerified(previous: VerifyResult | undefined, since: VerifyResult): VerifyResult {
  if (!previous) return since
  const faults = { ...previous.faults }
  for (const [code, times] of Object.entries(since.faults) as [FaultCode, number][])
    faults[code] = (faults[code] ?? 0) + times
  return { read: previous.read + since.read, repaired: previous.repaired + since.repaired, faults }
}
