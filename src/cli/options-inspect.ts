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
    .option('--type <name>', 'check only nodes or edges of this type')
    .option('--id <id>', 'check only this node and its edges; use JSON for an id of several parts')
    .option('--tenant <name>', 'tenant of the node, for a graph with tenants')
    .option('--checkpoint <file>', 'save progress in this file, and continue from it')
}
