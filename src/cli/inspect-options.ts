import type { Command } from 'commander'
import { addSchemaOptions, addStoreOptions, type SchemaOptions, type StoreOptions } from './options.js'

export interface InspectOptions extends SchemaOptions, StoreOptions {
  readonly type?: string
  readonly id?: string
  readonly tenant?: string
  readonly checkpoint?: string
}

/** The common options of commands that check a table. */
export function addInspectOptions(command: Command): Command {
  return addStoreOptions(addSchemaOptions(command))
    .option('--type <name>', 'check only nodes or edges of this type')
    .option('--id <id>', 'check only this node and its edges; use JSON for an id of several parts')
    .option('--tenant <name>', 'tenant of the node, for a graph with tenants')
    .option('--checkpoint <file>', 'save progress in this file, and continue from it')
}
