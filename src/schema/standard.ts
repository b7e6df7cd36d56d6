/** The part of Standard Schema (version 1) that is used here: what zod, valibot and arktype have in common. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': StandardProperties<In, Out>
}

export interface StandardProperties<In, Out> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>
  readonly types?: { readonly input: In; readonly output: Out } | undefined
}

export type StandardResult<Out> = { readonly value: Out; readonly issues?: undefined } | StandardFailure

export interface StandardFailure {
  readonly issues: readonly StandardIssue[]
}

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
