import type { DeclaredEdge } from './declared.js'

/** Whether a consumer of the stream keeps something of an edge: counters at an end, or copies of what is there. */
export function keptByStream(
  { carry, count, sum }: Pick<DeclaredEdge, 'carry' | 'count' | 'sum'>,
  at?: string,
): boolean {
  const isThere = ({ end }: { readonly end: string }) => !at || end === at
  return (
    carry.filter(isThere).some(({ sync }) => sync) ||
    [...count, ...sum].filter(isThere).some(({ by }) => by === 'stream')
  )
}
