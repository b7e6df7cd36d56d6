import type { DumpCounts } from '../../jobs/dump/dump.js'

const MEGABYTE = 1024 * 1024

/** The progress and speed of a dump since it started or continued. */
export function createDumpRate(
  from: DumpCounts | undefined,
  startMs: number,
): (counts: DumpCounts, bytes: number, nowMs: number) => string {
  const previousItems = from?.items ?? 0
  return ({ items, failed }, bytes, nowMs) => {
    const seconds = Math.max(nowMs - startMs, 1) / 1000
    const perSecond = Math.round((items - previousItems) / seconds).toLocaleString('en-US')
    return `${items.toLocaleString('en-US')} items, ${perSecond} items/s, ${(bytes / MEGABYTE / seconds).toFixed(1)} MB/s, ${failed} failed`
  }
}
