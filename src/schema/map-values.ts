/** An object with the same names, and what is made of each value; what is made undefined is left out. */
export function mapValues<T, R>(
  object: Readonly<Record<string, T>> | undefined,
  make: (value: T, name: string) => R | undefined,
): Record<string, R> {
  return Object.fromEntries(
    Object.entries(object ?? {}).flatMap(([name, value]) => {
      const made = make(value, name)
      return made === undefined ? [] : [[name, made]]
    }),
  )
}

/** Whether there is anything under any name. */
export const hasAny = (object: object | undefined): boolean => Object.keys(object ?? {}).length > 0
