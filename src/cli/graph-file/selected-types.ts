import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { CommandFailure } from '../command-failure.js'

/** Rejects a tenant for a graph without tenants. */
export function assertTenantOption({ graph }: Layout, tenant: string | undefined): void {
  if (tenant !== undefined && !graph.declared.tenant)
    throw new CommandFailure('--tenant: the graph has no tenants; remove the option.')
}

/** The types of a graph that the options name; all types by default. */
export function selectTypes({ graph }: Layout, names: readonly string[] | undefined): DeclaredType[] {
  const all: DeclaredType[] = [...graph.declared.nodes, ...graph.declared.edges]
  const unknown = names?.find(name => !all.some(type => type.name === name))
  if (unknown !== undefined)
    throw new CommandFailure(
      `--type: the graph has no type '${unknown}'; use one of ${all.map(({ name }) => name).join(', ')}.`,
    )
  return names ? all.filter(({ name }) => names.includes(name)) : all
}
