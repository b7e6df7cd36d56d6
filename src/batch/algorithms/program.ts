/** A statement of a program, or a loop of statements. */
export type SqlStep =
  | {
      /** The table that the query makes, in place of one of that name; the query may read the one before. */
      readonly create: string
      readonly as: string
    }
  | {
      readonly repeat: readonly SqlStep[]
      /** The most rounds. */
      readonly times: number
      /** A query of one boolean, which ends the loop after a round if it is true. */
      readonly until?: string
      /** The error message if the loop did not end within its rounds. Without it, the loop ends silently. */
      readonly unfinished?: string
    }

/** A computation over the views as data, which any engine of SQL can run. */
export interface SqlProgram {
  readonly steps: readonly SqlStep[]
  /** The query of the result. */
  readonly result: string
}

/** A step that stops the program with this message unless the query of one boolean is true. */
export const assertTrue = (query: string, message: string): SqlStep => ({
  repeat: [],
  times: 1,
  until: query,
  unfinished: message,
})

export const create = (table: string, as: string): SqlStep => ({ create: table, as })
