import type { Code } from '../schema/codes.js'
import { GraphError } from '../schema/error.js'

type KeyCode = Extract<Code, `key.${string}`>

/** A complaint about one template, and about one of its slots if that is known. */
export function templateError(code: KeyCode, template: string, slot: string | undefined, fault: string, more?: object) {
  return keyError(code, `The key "${template}" ${fault}`, { template, slot, ...more })
}

export function keyError<Details>(code: KeyCode, message: string, details: Details): GraphError<Details> {
  return new GraphError(code, message, details)
}
