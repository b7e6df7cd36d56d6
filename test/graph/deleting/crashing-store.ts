import { type Store, wrap } from '../../../src/index.js'

/** A store that fails every request after the given number. */
export function mortal(inner: Store, left = Number.POSITIVE_INFINITY) {
  const dying = {
    left,
    store: wrap(inner, async (_, request, options, send) => {
      if (dying.left-- <= 0) throw new Error('crashed')
      return send(request, options)
    }),
  }
  return dying
}
