/** What follows from an object that never changes, worked out once for each. */
export function memoize<K extends object, V, Context = void>(
  compute: (key: K, context: Context) => V,
): (key: K, context: Context) => V {
  const cache = new WeakMap<K, V>()
  return (key, context) => {
    let value = cache.get(key)
    if (value === undefined) {
      value = compute(key, context)
      cache.set(key, value)
    }
    return value
  }
}
