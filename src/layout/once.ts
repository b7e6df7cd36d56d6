/** What follows from an object that never changes, worked out once for each. */
export function once<K extends object, V, Context = void>(
  make: (key: K, context: Context) => V,
): (key: K, context: Context) => V {
  const known = new WeakMap<K, V>()
  return (key, context) => {
    let made = known.get(key)
    if (made === undefined) {
      made = make(key, context)
      known.set(key, made)
    }
    return made
  }
}
