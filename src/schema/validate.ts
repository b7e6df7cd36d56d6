import { GraphError } from './error.js'
import type { StandardIssue, StandardSchema } from './standard.js'

/** What a validator makes of a value. */
export function validate(schema: StandardSchema, value: unknown, path: string): unknown {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) {
    // What it will say is not waited for, and must not end the process.
    result.catch(() => {})
    throw new GraphError(
      'value.check.async',
      `${path}: the validator answers with a promise; give one that answers at once, and await the rest before the call`,
      { path },
    )
  }
  if (!result.issues) return result.value
  throw new GraphError(
    'value.check',
    result.issues.map(issue => `${located(issue, path)}: ${issue.message}`).join('; '),
    {
      path,
      value,
      issues: result.issues,
    },
  )
}

function located(issue: StandardIssue, path: string): string {
  return [path, ...(issue.path ?? []).map(key => String(typeof key === 'object' ? key.key : key))].join('.')
}
