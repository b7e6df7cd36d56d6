import type { REQUEST_SHAPES, RequestInputs } from '../../generated/request-shapes.js'
import type { Constraint } from '../constraints.js'
import type { StructureShape } from '../shapes.js'

type Shapes = typeof REQUEST_SHAPES

/** The names of the members of a published structure. */
type MemberOf<Name extends keyof Shapes> = Shapes[Name] extends { readonly members: infer Members }
  ? keyof Members & string
  : never

/** How the service treats a member, where this differs from its published shape. */
export interface MemberCorrection {
  /** Returns the constraints that the service checks, in the order in which it reports them. */
  readonly constraints?: (published: readonly Constraint[]) => readonly Constraint[]
  readonly required?: boolean
  /** The complete message for a missing member, if the service has a dedicated sentence. */
  readonly missingMessage?: string
  /** The notation in which the service repeats a map in an error message. */
  readonly notation?: 'json'
}

/** How the service treats a structure, where this differs from its published shape. */
export interface StructureCorrection<Member extends string> {
  /** The members that the service reports before others, in this order. */
  readonly first?: readonly Member[]
  /** The members that the current validator reports one at a time, in this order, before others. */
  readonly alone?: readonly Member[]
  /** Members that the service shows when it repeats the structure, but that no request can contain. */
  readonly hidden?: readonly string[]
  readonly members?: { readonly [Name in Member]?: MemberCorrection }
}

/** The overlay entry of an operation. */
export interface OperationCorrection<Member extends string> extends StructureCorrection<Member> {
  /** The validator that checks the request, if the whole request has the form that it expects; by default `current`. */
  readonly validator?: StructureShape['validator']
}

export type OperationCorrections = {
  readonly [Name in keyof RequestInputs]: OperationCorrection<MemberOf<RequestInputs[Name]>>
}

/** A correction of every member with a shape, or of every occurrence of a structure. */
export type ShapeCorrections = {
  readonly [Name in keyof Shapes]?: MemberCorrection & StructureCorrection<MemberOf<Name>>
}
