import type { Command } from 'commander'
import { type SchemaOptions, type StoreOptions, withSchema, withStore } from './options.js'

export interface InspectOptions extends SchemaOptions, StoreOptions {
  readonly type?: string
  readonly id?: string
  readonly tenant?: string
  readonly checkpoint?: string
}

/** What looks through a table takes. */
export function withInspection(command: Command): Command {
  return withStore(withSchema(command))
    .option('--type <name>', 'only nodes or edges of this type')
    .option('--id <id>', 'only this node of the type, with its edges; several parts as JSON')
    .option('--tenant <name>', 'of a graph with tenants: whose node it is')
    .option('--checkpoint <file>', 'keep how far it came in this file, and go on from there')
}
