/** Caches the result of a function per object. The object must not change. */
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
