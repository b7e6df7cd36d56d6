import type { FaultCode, FoundFault, Verified } from '../jobs/index.js'
import { Failure } from './failure.js'
import { KeptFile } from './kept-file.js'
import { KeptLines } from './kept-lines.js'

/** How far a run came, and what it had found by then. */
interface InspectionPlace {
  /** What is looked through, and whether it is mended: with another of these it is another run. */
  readonly of: object
  readonly cursor: string
  readonly done: Verified
  /** How much the file of faults beside it had by then. */
  readonly foundBytes: number
}

/** How far a run came, in a file, and each fault that it had found by then, in another beside it. */
export class KeptInspection {
  private constructor(
    private readonly of: object,
    private readonly kept: KeptFile,
    private readonly lines: KeptLines,
    /** Where the same run was cut off; undefined where it begins. */
    readonly before: InspectionPlace | undefined,
  ) {}

  static async at(path: string, of: object): Promise<KeptInspection> {
    const kept = new KeptFile(path)
    const place = (await kept.read()) as InspectionPlace | undefined
    if (place && JSON.stringify(place.of) !== JSON.stringify(of))
      throw new Failure(`${path} belongs to another interrupted run; give another file with --checkpoint, or remove it`)
    return new KeptInspection(of, kept, new KeptLines(`${path}.found`, place?.foundBytes ?? 0, '--checkpoint'), place)
  }

  async found(): Promise<readonly FoundFault[]> {
    return (await this.lines.read()) as FoundFault[]
  }

  /** `faults`: those since it was noted last. */
  async note(cursor: string, done: Verified, faults: readonly FoundFault[]): Promise<void> {
    if (faults.length > 0) await this.lines.add(faults)
    await this.kept.write({ of: this.of, cursor, done, foundBytes: this.lines.sizeBytes })
  }

  async close(): Promise<void> {
    await this.lines.close()
  }

  /** Nothing is left to go on with. */
  async remove(): Promise<void> {
    await this.kept.remove()
    await this.lines.clear()
  }
}

/** What was found before it was cut off, and since. */
export function foundInAll(before: Verified | undefined, since: Verified): Verified {
  if (!before) return since
  const faults = { ...before.faults }
  for (const [code, times] of Object.entries(since.faults) as [FaultCode, number][])
    faults[code] = (faults[code] ?? 0) + times
  return { read: before.read + since.read, mended: before.mended + since.mended, faults }
}
