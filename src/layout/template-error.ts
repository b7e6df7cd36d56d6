import type { Code } from '../schema/codes.js'
import { GraphError } from '../schema/error.js'

type KeyCode = Extract<Code, `key.${string}`>

/** A complaint about one template, and about one of its slots if that is known. */
export function templateError(
  code: KeyCode,
  { source: template }: { readonly source: string },
  fault: string,
  slot?: string,
  more?: object,
) {
  return new GraphError(code, `The key "${template}" ${fault}`, { template, slot, ...more })
}
