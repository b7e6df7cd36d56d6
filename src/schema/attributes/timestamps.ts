import { type Attribute, createAttribute } from '../attribute.js'
import type { Environment, Recomputation } from '../declarations.js'
import { date } from './date.js'

const currentDate = (environment: Environment) => new Date(environment.now())

/**
 * Declares the time at which a row was created. Updates do not change it. A put replaces the row and sets the current
 * time, unless the row gives this attribute.
 *
 * @example
 * ```ts
 * import { created, node, string } from 'edgewise'
 *
 * const post = node('post', { slug: string(), createdAt: created() }, { id: 'slug' })
 * ```
 */
export function created(): Attribute<Date, 'default'> {
  return date().default(currentDate)
}

const SET_ON_WRITE: Recomputation = {
  changeForPatch: ({ attributes }, name, _, environment) => ({
    kind: 'set',
    value: attributes[name]!.encode(currentDate(environment), name),
  }),
}

/**
 * Declares the time of the last write. Every put and every update sets it.
 *
 * @example
 * ```ts
 * import { node, string, updated } from 'edgewise'
 *
 * const post = node('post', { slug: string(), updatedAt: updated() }, { id: 'slug' })
 * ```
 */
export function updated(): Attribute<Date, 'default'> {
  return createAttribute({ ...date().declared, fallback: currentDate, recomputation: SET_ON_WRITE })
}
