import { GraphError } from '../../schema/error.js'

/** The key of the last row that was written, as texts. */
export interface Position {
  readonly pk: string
  readonly sk: string
}

/** A position as a cursor of data of one moment. */
export const encodePosition = (moment: string, { pk, sk }: Position): string =>
  btoa(encodeURIComponent(JSON.stringify([moment, pk, sk])))

/** The position of a cursor. Throws unless it is of data of that moment. */
export function decodePosition(cursor: string, moment: string): Position {
  const [own, pk, sk] = partsOf(cursor)
  if (own === moment && typeof pk === 'string' && typeof sk === 'string') return { pk, sk }
  throw new GraphError('cursor.invalid', 'runJob: the cursor does not belong to this data; omit it to start over.')
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(decodeURIComponent(atob(cursor)))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
