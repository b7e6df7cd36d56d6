/** An object with the same names, and what is made of each value; what is made undefined is left out. */
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

/** Whether there is anything under any name. */
export const hasEntries = (object: object | undefined): boolean => Object.keys(object ?? {}).length > 0
