/** Maps the values of an object and keeps their names. Values that become undefined are left out. */
export function mapValues<T, R>(
  object: Readonly<Record<string, T>> | undefined,
  transform: (value: T, name: string) => R | undefined,
): Record<string, R> {
  return Object.fromEntries(
    Object.entries(object ?? {}).flatMap(([name, value]) => {
      const transformed = transform(value, name)
      return transformed === undefined ? [] : [[name, transformed]]
    }),
  )
}

/** Whether an object has at least one entry. */
export const hasEntries = (object: object | undefined): boolean => Object.keys(object ?? {}).length > 0
