/** A JSON value with sorted members, so that equal outputs have equal texts. */
export type Plain = string | number | boolean | null | Plain[] | { [name: string]: Plain }

export interface Refusal {
  readonly name: string
  readonly message: string
  /** The item of a failed condition, and the reasons of a cancelled transaction. */
  readonly details: { readonly [name: string]: Plain }
}

/** The outcome of a call: the pages of a read of several items, a single page for other calls, or an error. */
export type Outcome =
  | { readonly pages: readonly { readonly [name: string]: Plain }[]; readonly refusal?: undefined }
  | { readonly refusal: Refusal }

const SETS: ReadonlySet<string> = new Set(['SS', 'NS', 'BS'])

/** Normalizes a value: bytes as text, sets and members sorted, and undefined members removed. */
export function plain(value: unknown, within = ''): Plain {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return 'a date'
  if (Array.isArray(value)) {
    const members = value.map(member => plain(member))
    return SETS.has(within) ? members.sort(byText) : members
  }
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.sort().map(([name, member]) => [name, plain(member, name)]))
}

export const textOf = (value: Plain | undefined): string => JSON.stringify(value) ?? ''

export function byText(a: Plain, b: Plain): number {
  const [one, other] = [textOf(a), textOf(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

interface Thrown extends Error {
  readonly Item?: unknown
  readonly CancellationReasons?: unknown
}

export function refusalOf(error: unknown): Refusal {
  const { name, message, Item, CancellationReasons } = error as Thrown
  return { name, message, details: plain({ Item, CancellationReasons }) as Refusal['details'] }
}
