import type { DeclaredPath, Way } from './declared.js'
import { GraphError } from './error.js'

export interface PathOptions {
  readonly in?: readonly string[]
  readonly order?: readonly string[]
  readonly as?: Way
  readonly shards?: number
}

/** A path in its one form. `type` is the node or the edge that it reads. */
export function declaredPath(type: string, name: string, options: PathOptions, order: readonly string[]): DeclaredPath {
  const path = {
    name,
    in: options.in ?? [],
    order: options.order ?? order,
    as: options.as,
    shards: options.shards ?? 1,
  }
  const parts = [...path.in, ...path.order]
  if (parts.length === 0 || new Set(parts).size < parts.length)
    throw new GraphError(
      'path.parts',
      `${type}.by.${name} goes by ${parts.join(', ') || 'nothing'}: name each part once in 'in' or 'order'`,
      {
        type,
        name,
      },
    )
  if (!Number.isSafeInteger(path.shards) || path.shards < 1)
    throw new GraphError('path.shards', `${type}.by.${name} has ${path.shards} shards: give a whole number from 1`, {
      type,
      name,
    })
  return path
}
