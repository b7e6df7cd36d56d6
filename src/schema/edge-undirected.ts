import type { ByEnd, GivenOptions } from './edge-given.js'
import { GraphError } from './error.js'
import type { PathOptions } from './path.js'

/** What an undirected edge says of its first end holds for the second, with the ends turned. */
export function bothWays(type: string, ends: readonly string[], options: GivenOptions): GivenOptions {
  const [first, second] = ends as [string, string]
  if (options.carry || options.one !== undefined)
    throw new GraphError(
      'edge.undirected',
      `${type} is undirected, so its ends are alike: it can have no 'carry' and no 'one'`,
      { type },
    )
  const turn = <T>(option: ByEnd<T> | undefined, turned: (value: T) => T = value => value): ByEnd<T> | undefined => {
    if (!option || !Object.hasOwn(option, first)) {
      if (!option || !Object.hasOwn(option, second)) return option
    } else if (!Object.hasOwn(option, second)) return { ...option, [second]: turned(option[first]!) }
    throw new GraphError('edge.undirected', `${type} is undirected: say what holds for both ends of '${first}' only`, {
      type,
      name: second,
    })
  }
  const swap = (part: string) => (part === first ? second : part === second ? first : part)
  const turnedPath = (path: PathOptions) => (path.order ? { ...path, order: path.order.map(swap) } : path)
  return {
    ...options,
    by: turn(options.by, turnedPath),
    count: turn(options.count),
    sum: turn(options.sum),
    embed: turn(options.embed),
    onDelete: turn(options.onDelete),
  }
}
