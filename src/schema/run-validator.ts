import { GraphError } from './error.js'
import type { StandardIssue, StandardSchema } from './standard-schema.js'

/** Returns the output of a validator for a value; throws with its issues if it rejects the value. */
export function runValidator(schema: StandardSchema, value: unknown, path: string): unknown {
  const result = schema?.['~standard']?.validate(value) ?? {
    issues: [{ message: 'the schema is not a Standard Schema validator' }],
  }
  if (result instanceof Promise) {
    // The promise is dropped, so its rejection must not end the process.
    result.catch(() => {})
    throw new GraphError(
      'value.check.async',
      `${path}: the validator returned a promise; give a synchronous validator.`,
      {
        path,
      },
    )
  }
  const { issues } = result
  if (!issues) return result.value
  const message = issues.map(issue => `${[path, ...issuePathOf(issue)].join('.')}: ${issue.message}`).join(', ')
  throw new GraphError('value.check', `${message}; give a value that the validator accepts.`, { path, value, issues })
}

const issuePathOf = ({ path = [] }: StandardIssue) =>
  Array.from(path, key => String((key as { readonly key?: PropertyKey }).key ?? key))
