import type { Every, ServiceOperation } from '../../port.js'
import type { ContractCase } from '../case.js'
import { refused } from '../expect.js'
import { type ModelViolation, violations } from '../violations.js'

/** For every constraint of the model a case: a request that breaks it alone is refused in the service's words. */
export function violationCases(): ContractCase[] {
  return violations().map(violation => ({
    name: `a request that breaks ${violation.id} is refused`,
    operation: methodOf(violation),
    covers: [violation.id],
    run: ({ service }) =>
      refused(send(service, methodOf(violation), violation.request), violation.error, violation.message).then(
        () => undefined,
      ),
  }))
}

function methodOf({ operation }: ModelViolation): ServiceOperation {
  return (operation.charAt(0).toLowerCase() + operation.slice(1)) as ServiceOperation
}

async function send(service: Every, operation: ServiceOperation, request: object): Promise<unknown> {
  return service[operation](request as never)
}
