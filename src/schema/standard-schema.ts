/** The part of Standard Schema version 1 that edgewise uses. zod, valibot and arktype implement it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProperties<Input, Output>
}

export interface StandardProperties<Input, Output> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
}

export type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | StandardFailure

export interface StandardFailure {
  readonly issues: readonly StandardIssue[]
}

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
