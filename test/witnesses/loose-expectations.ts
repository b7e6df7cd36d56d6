const SETS: ReadonlySet<string> = new Set(['SS', 'NS', 'BS'])

/** Removes messages, which other implementations took from older versions of the service, and sorts sets. */
function loosened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(loosened)
  const members = Object.entries(value).map(([name, member]) => {
    if (name === 'Message' && typeof member === 'string') return [name, '']
    return [name, SETS.has(name) && Array.isArray(member) ? sorted(member) : loosened(member)]
  })
  return Object.fromEntries(members)
}

const sorted = (members: readonly unknown[]) => members.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))

type Expectations = typeof import('../../src/contract/assertions.js')

/**
 * The assertions of cases, except that errors are compared only by name: most messages of other implementations differ
 * from the service's.
 */
export function looseExpectations(exact: Expectations): Expectations {
  const invalid = (call: Promise<unknown>) => exact.expectRejection(call, 'ValidationException')
  return {
    expectRejection: (call: Promise<unknown>, name: string) => exact.expectRejection(call, name),
    expectValidationError: invalid,
    expectInvalidRequest: invalid,
    expectEqual: (actual: unknown, expected: unknown) => exact.expectEqual(loosened(actual), loosened(expected)),
  }
}
