import type { LoadCounts, LoadCursor } from '../../jobs/load/load.js'
import type { LoadSource } from '../../jobs/load/source.js'
import type { LoadInput } from './inputs.js'

/** The progress and speed of a load. */
export interface LoadRate {
  formatProgress(place: LoadCursor): string
  formatTotal(counts: LoadCounts): string
  totals(): { readonly seconds: number; readonly bytes: number }
}

const MEGABYTE = 1024 * 1024

/** Counts the bytes that the sources deliver from this point. */
export function createLoadRate(inputs: LoadInput[], from: LoadCursor | undefined): LoadRate {
  const startMs = performance.now()
  let bytes = 0
  for (const [at, input] of inputs.entries()) inputs[at] = { ...input, open: start => countedBytes(input, start) }
  async function* countedBytes(input: LoadSource, start: number) {
    for await (const chunk of input.open(start)) {
      bytes += chunk.length
      yield chunk
    }
  }
  const totals = () => ({ seconds: Math.max(performance.now() - startMs, 1) / 1000, bytes })
  const rate = (rows: number) => {
    const { seconds } = totals()
    return `${formatWhole(rows / seconds)} rows/s, ${(bytes / MEGABYTE / seconds).toFixed(1)} MB/s`
  }
  const rowsOf = ({ written, skipped, failed }: LoadCounts) => written + skipped + failed
  const before = from ? rowsOf(from) : 0
  return {
    totals,
    formatProgress: place => {
      const part = percentOf(inputs, place)
      return `${part === undefined ? '' : `${part}%, `}${formatWhole(rowsOf(place))} rows, ${rate(rowsOf(place) - before)}, ${place.failed} failed`
    },
    formatTotal: counts => `${totals().seconds.toFixed(1)} s (${rate(rowsOf(counts) - before)})`,
  }
}

const formatWhole = (number: number) => Math.round(number).toLocaleString('en-US')

/** The percentage that was read; undefined if the total is unknown. */
function percentOf(inputs: readonly LoadInput[], { pass, passes, source, offset }: LoadCursor): number | undefined {
  if (inputs.some(({ isGzipped }) => isGzipped)) return undefined
  const sum = (some: readonly LoadInput[]) => some.reduce((all, { sizeBytes }) => all + sizeBytes, 0)
  const all = sum(inputs) || 1
  return Math.floor(((pass * all + sum(inputs.slice(0, source)) + offset) / (passes * all)) * 100)
}
