import type { LoadCounts, LoadPlace } from '../../jobs/load/load.js'
import type { LoadSource } from '../../jobs/load/source.js'
import type { Input } from './inputs.js'

/** How fast it goes. */
export interface Rates {
  text(place: LoadPlace): string
  end(counts: LoadCounts): string
  soFar(): { readonly seconds: number; readonly bytes: number }
}

const MEGABYTE = 1024 * 1024

/** Counts the bytes that the sources give from now on. */
export function ratesOf(inputs: Input[], from: LoadPlace | undefined): Rates {
  const startMs = performance.now()
  let bytes = 0
  for (const [at, input] of inputs.entries()) inputs[at] = { ...input, open: start => countedBytes(input, start) }
  async function* countedBytes(input: LoadSource, start: number) {
    for await (const chunk of input.open(start)) {
      bytes += chunk.length
      yield chunk
    }
  }
  const soFar = () => ({ seconds: Math.max(performance.now() - startMs, 1) / 1000, bytes })
  const rate = (rows: number) => {
    const { seconds } = soFar()
    return `${whole(rows / seconds)} rows/s, ${(bytes / MEGABYTE / seconds).toFixed(1)} MB/s`
  }
  const rowsOf = ({ written, left, failed }: LoadCounts) => written + left + failed
  const before = from ? rowsOf(from) : 0
  return {
    soFar,
    text: place => {
      const part = partOf(inputs, place)
      return `${part === undefined ? '' : `${part}%, `}${whole(rowsOf(place))} rows, ${rate(rowsOf(place) - before)}, ${place.failed} failed`
    },
    end: counts => `${soFar().seconds.toFixed(1)} s (${rate(rowsOf(counts) - before)})`,
  }
}

const whole = (number: number) => Math.round(number).toLocaleString('en-US')

/** How much is read, in percent; undefined where nobody knows how much there is. */
function partOf(inputs: readonly Input[], { pass, passes, source, offset }: LoadPlace): number | undefined {
  if (inputs.some(({ packed }) => packed)) return undefined
  const sum = (some: readonly Input[]) => some.reduce((all, { sizeBytes }) => all + sizeBytes, 0)
  const all = sum(inputs) || 1
  return Math.floor(((pass * all + sum(inputs.slice(0, source)) + offset) / (passes * all)) * 100)
}
